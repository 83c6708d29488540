#include "telemetry.h"

#include "lanes.h"

namespace farm {

namespace {

__global__ void bump(unsigned* counters, int lane) {
    atomicAdd(&counters[lane], 1u);
}

}  // namespace

Telemetry::Telemetry(int lanes) : lanes_(lanes) {
    ensure(cudaMalloc(reinterpret_cast<void**>(&counters_), lanes * sizeof(unsigned)));
    reset();
}

Telemetry::~Telemetry() {
    cudaFree(counters_);
}

void Telemetry::submitted(int lane) {
    bump<<<1, 1, 0, channel_>>>(counters_, lane);
    ensure(cudaGetLastError());
}

void Telemetry::reset() {
    ensure(cudaMemsetAsync(counters_, 0, lanes_ * sizeof(unsigned), channel_));
    ensure(cudaStreamSynchronize(channel_));
}

std::vector<unsigned> Telemetry::snapshot() const {
    std::vector<unsigned> out(lanes_);
    ensure(cudaMemcpyAsync(out.data(), counters_, out.size() * sizeof(unsigned), cudaMemcpyDeviceToHost, channel_));
    ensure(cudaStreamSynchronize(channel_));
    return out;
}

}  // namespace farm
