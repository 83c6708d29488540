#include "book.h"

namespace risk {

namespace {

__global__ void decayExposure(int* exposure, int accounts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < accounts) exposure[i] -= exposure[i] / 4;
}

}  // namespace

Book::Book(const std::vector<int>& limits) : exposure_(limits.size()), limit_(limits.size()), report_(limits.size()) {
    GPU_MUST(cudaMemcpy(limit_.get(), limits.data(), limit_.bytes(), cudaMemcpyHostToDevice));
    GPU_MUST(cudaDeviceSynchronize());
}

void Book::decay(int accounts, cudaStream_t stream) {
    decayExposure<<<(kAccounts + 63) / 64, 64, 0, stream>>>(exposure_.get(), accounts);
    GPU_MUST(cudaGetLastError());
}

const int* Book::snapshot() {
    GPU_MUST(cudaMemcpy(report_.host(), exposure_.get(), exposure_.bytes(), cudaMemcpyDeviceToHost));
    return report_.host();
}

}  // namespace risk
