#include "desk/risk.h"

#include <cstring>

namespace desk {
namespace {

__global__ void exposure_kernel(const int32_t* positions, long long* total) {
    const long long p = positions[threadIdx.x];
    if (threadIdx.x == 0) *total = 0;
    __syncthreads();
    atomicAdd(reinterpret_cast<unsigned long long*>(total), static_cast<unsigned long long>((p < 0 ? -p : p) * (threadIdx.x + 1)));
}

}  // namespace

RiskMonitor::RiskMonitor() {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    require(cudaHostAlloc(reinterpret_cast<void**>(&positions_), sizeof(int32_t) * kSymbols, cudaHostAllocDefault));
    require(cudaHostAlloc(reinterpret_cast<void**>(&total_), sizeof(long long), cudaHostAllocDefault));
    require(cudaMalloc(reinterpret_cast<void**>(&d_positions_), sizeof(int32_t) * kSymbols));
    require(cudaMalloc(reinterpret_cast<void**>(&d_total_), sizeof(long long)));
    std::memset(positions_, 0, sizeof(int32_t) * kSymbols);
    exposure();
}

RiskMonitor::~RiskMonitor() {
    cudaFree(d_total_);
    cudaFree(d_positions_);
    cudaFreeHost(total_);
    cudaFreeHost(positions_);
    cudaStreamDestroy(stream_);
}

long long RiskMonitor::exposure() {
    require(cudaMemcpyAsync(d_positions_, positions_, sizeof(int32_t) * kSymbols, cudaMemcpyHostToDevice, stream_));
    exposure_kernel<<<1, kSymbols, 0, stream_>>>(d_positions_, d_total_);
    require(cudaGetLastError());
    require(cudaMemcpyAsync(total_, d_total_, sizeof(long long), cudaMemcpyDeviceToHost, stream_));
    require(cudaStreamSynchronize(stream_));
    return *total_;
}

long long RiskMonitor::expected() const {
    long long sum = 0;
    for (int i = 0; i < kSymbols; ++i) {
        const long long p = positions_[i];
        sum += (p < 0 ? -p : p) * (i + 1);
    }
    return sum;
}

}  // namespace desk
