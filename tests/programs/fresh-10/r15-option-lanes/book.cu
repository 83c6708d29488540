#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>

#include "book.h"

namespace pricing {

namespace {

__host__ __device__ inline int intrinsic(const Contract& c) {
    return c.spot > c.strike ? (c.spot - c.strike) * c.notional : 0;
}

struct Revalue {
    const Contract* contracts;
    int* values;
    unsigned long long pathsNs;

    __device__ void operator()(int i) const {
        unsigned long long begin, now;
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
        do {
            asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
        } while (now - begin < pathsNs);
        values[i] = intrinsic(contracts[i]);
    }
};

}  // namespace

Book::Book(int desk, int contracts) : size_(contracts) {
    PRICING_TRY(cudaStreamCreate(&stream_));
    PRICING_TRY(cudaMallocHost(&contracts_, size_ * sizeof(Contract)));
    PRICING_TRY(cudaMallocHost(&values_, size_ * sizeof(int)));
    PRICING_TRY(cudaMalloc(&deviceContracts_, size_ * sizeof(Contract)));
    PRICING_TRY(cudaMalloc(&deviceValues_, size_ * sizeof(int)));
    for (int i = 0; i < size_; ++i) contracts_[i] = {90 + (i + desk) % 21, 95 + (i * 3) % 11, 1 + i % 5};
    std::fill(values_, values_ + size_, -1);
}

Book::~Book() {
    cudaFree(deviceValues_);
    cudaFree(deviceContracts_);
    cudaFreeHost(values_);
    cudaFreeHost(contracts_);
    cudaStreamDestroy(stream_);
}

void Book::submit() {
    PRICING_TRY(cudaMemcpyAsync(deviceContracts_, contracts_, size_ * sizeof(Contract),
                                cudaMemcpyHostToDevice, stream_));
    thrust::for_each(thrust::cuda::par_nosync.on(stream_), thrust::counting_iterator<int>(0),
                     thrust::counting_iterator<int>(size_),
                     Revalue{deviceContracts_, deviceValues_, 40'000'000ull});
    PRICING_TRY(cudaMemcpyAsync(values_, deviceValues_, size_ * sizeof(int), cudaMemcpyDeviceToHost, stream_));
}

void Book::collect() {
    PRICING_TRY(cudaStreamSynchronize(stream_));
}

int Book::discrepancies() const {
    int bad = 0;
    for (int i = 0; i < size_; ++i) bad += values_[i] != intrinsic(contracts_[i]);
    return bad;
}

}  // namespace pricing
