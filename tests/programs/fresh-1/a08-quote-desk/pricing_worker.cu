#include "pricing_worker.h"

namespace desk {
namespace {

// Walks the book for a while, as a Monte-Carlo valuation does, and books the total.
__global__ void value(const float* quotes, int n, double* total) {
    long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    double local = 0.0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) local += quotes[i];
    atomicAdd(total, local);
    do {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < 20000000LL);
}

}  // namespace

PricingWorker::PricingWorker(BlockPool& pool, int maxQuotes, double* totals) : pool_(pool), totals_(totals) {
    expect(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    expect(cudaMalloc(&quotes_, maxQuotes * sizeof(float)));
}

PricingWorker::~PricingWorker() {
    cudaStreamSynchronize(stream_);
    cudaFree(quotes_);
    cudaStreamDestroy(stream_);
}

void PricingWorker::price(const Batch& batch) {
    BlockPool::Lease block = pool_.borrow();
    for (int i = 0; i < batch.quotes; ++i) block.data()[i] = static_cast<float>(batch.id + 1 + (i & 3));
    expect(cudaMemcpyAsync(quotes_, block.data(), batch.quotes * sizeof(float), cudaMemcpyHostToDevice, stream_));
    value<<<1, 256, 0, stream_>>>(quotes_, batch.quotes, totals_ + batch.id);
    expect(cudaGetLastError());
}

void PricingWorker::close() { expect(cudaStreamSynchronize(stream_)); }

}  // namespace desk
