#include "mapper.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

void require(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

namespace {

__global__ void scoreBatch(const char* bases, const char* seed, std::int32_t* scores) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    std::int32_t s = 0;
    for (int k = 0; k < kReadLength; ++k) s += bases[r * kReadLength + k] == seed[k];
    scores[r] = s;
}

__global__ void tally(const std::int32_t* scores, unsigned* counts) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&counts[scores[r]], 1u);
}

}  // namespace

std::int32_t scoreRead(const char* read, const char* reference) {
    std::int32_t s = 0;
    for (int k = 0; k < kReadLength; ++k) s += read[k] == reference[k];
    return s;
}

Batch::Batch(int n) : number(n) {
    require(cudaMallocHost(&bases, kReadsPerBatch * kReadLength));
    require(cudaMallocHost(&scores, kReadsPerBatch * sizeof *scores));
}

Batch::~Batch() {
    cudaFreeHost(scores);
    cudaFreeHost(bases);
}

struct Mapper::Delivery {
    Channel<BatchPtr>* to;
    BatchPtr batch;
};

Mapper::Mapper(const std::vector<char>& seed, Channel<BatchPtr>& output) : output_(output) {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    require(cudaMalloc(&seed_, seed.size()));
    require(cudaMalloc(&bases_, kReadsPerBatch * kReadLength));
    require(cudaMalloc(&scores_, kReadsPerBatch * sizeof *scores_));
    require(cudaMalloc(&counts_, sizeof(unsigned) * kMaxScore));
    require(cudaMallocHost(&countsHost_, sizeof(unsigned) * kMaxScore));
    require(cudaMemcpy(seed_, seed.data(), seed.size(), cudaMemcpyHostToDevice));
    require(cudaMemset(counts_, 0, sizeof(unsigned) * kMaxScore));
    require(cudaDeviceSynchronize());
}

Mapper::~Mapper() {
    cudaStreamSynchronize(stream_);
    cudaFreeHost(countsHost_);
    cudaFree(counts_);
    cudaFree(scores_);
    cudaFree(bases_);
    cudaFree(seed_);
    cudaStreamDestroy(stream_);
}

void CUDART_CB Mapper::deliver(void* raw) {
    std::unique_ptr<Delivery> d(static_cast<Delivery*>(raw));
    d->to->put(std::move(d->batch));
}

void Mapper::submit(BatchPtr batch) {
    require(cudaMemcpyAsync(bases_, batch->bases, kReadsPerBatch * kReadLength, cudaMemcpyHostToDevice, stream_));
    scoreBatch<<<kReadsPerBatch / 128, 128, 0, stream_>>>(bases_, seed_, scores_);
    require(cudaGetLastError());
    tally<<<kReadsPerBatch / 128, 128, 0, stream_>>>(scores_, counts_);
    require(cudaGetLastError());
    require(cudaMemcpyAsync(batch->scores, scores_, kReadsPerBatch * sizeof *scores_, cudaMemcpyDeviceToHost, stream_));
    auto delivery = std::make_unique<Delivery>(Delivery{&output_, std::move(batch)});
    require(cudaLaunchHostFunc(stream_, &Mapper::deliver, delivery.release()));
}

Histogram Mapper::histogram() {
    Histogram h;
    require(cudaMemcpyAsync(countsHost_, counts_, sizeof(unsigned) * kMaxScore, cudaMemcpyDeviceToHost, stream_));
    require(cudaStreamSynchronize(stream_));
    std::copy(countsHost_, countsHost_ + kMaxScore, h.begin());
    return h;
}
