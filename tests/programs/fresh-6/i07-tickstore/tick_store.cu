#include "tick_store.h"

#include <algorithm>

namespace {

__global__ void compact(long long* volumes, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    volumes[threadIdx.x] = 0;
}

__global__ void aggregate(const Tick* ticks, int n, long long* volumes) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(reinterpret_cast<unsigned long long*>(&volumes[ticks[i].symbol]),
                  static_cast<unsigned long long>(ticks[i].price));
}

}  // namespace

TickStore::TickStore(std::size_t batches, std::size_t ticks_per_batch)
    : pool_(4, ticks_per_batch), per_batch_(ticks_per_batch), batches_(batches) {
    gpu_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    gpu_check(cudaMalloc(&columns_, batches * ticks_per_batch * sizeof(Tick)));
    gpu_check(cudaMalloc(&volumes_, batches * kSymbols * sizeof(long long)));
}

TickStore::~TickStore() {
    cudaStreamSynchronize(stream_);
    cudaFree(columns_);
    cudaFree(volumes_);
    cudaStreamDestroy(stream_);
}

void TickStore::append(const std::vector<Tick>& ticks) {
    Tick* column = columns_ + used_ * per_batch_;
    long long* volume = volumes_ + used_ * kSymbols;
    ++used_;

    auto block = pool_.acquire();
    std::copy(ticks.begin(), ticks.end(), block->data);

    compact<<<1, kSymbols, 0, stream_>>>(volume, 30'000'000ull);
    gpu_check(cudaGetLastError());
    gpu_check(cudaMemcpyAsync(column, block->data, ticks.size() * sizeof(Tick), cudaMemcpyHostToDevice, stream_));
    aggregate<<<16, 256, 0, stream_>>>(column, static_cast<int>(ticks.size()), volume);
    gpu_check(cudaGetLastError());
}

std::vector<long long> TickStore::finish() {
    std::vector<long long> out(used_ * kSymbols);
    gpu_check(cudaStreamSynchronize(stream_));
    gpu_check(cudaMemcpy(out.data(), volumes_, out.size() * sizeof(long long), cudaMemcpyDeviceToHost));
    return out;
}
