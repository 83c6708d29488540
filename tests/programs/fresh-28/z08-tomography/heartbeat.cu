#include "recon.h"

namespace recon {

__global__ void countTick(unsigned* count) { atomicAdd(count, 1u); }

Heartbeat::Heartbeat()
{
    RC(cudaMalloc(&count_, sizeof(*count_)));
    RC(cudaMemset(count_, 0, sizeof(*count_)));
}

void Heartbeat::tick()
{
    countTick<<<1, 1>>>(count_);
    RC(cudaGetLastError());
}

unsigned Heartbeat::read() const
{
    unsigned value = 0;
    RC(cudaMemcpy(&value, count_, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

}  // namespace recon
