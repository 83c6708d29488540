#include "scorer.cuh"

namespace slide {

namespace {

__global__ void focus_pass(const std::uint32_t* image, std::size_t words, long long ns, std::uint32_t* sum) {
    __shared__ unsigned part;
    if (threadIdx.x == 0) part = 0;
    __syncthreads();
    std::uint32_t acc = 0;
    for (std::size_t i = threadIdx.x; i < words; i += blockDim.x) acc += image[i];
    atomicAdd(&part, acc);
    long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    __syncthreads();
    if (threadIdx.x == 0) *sum = part;
}

}  // namespace

Scorer::Scorer(int tiles, std::size_t words) : tiles_(tiles), words_(words) {
    ensure(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ensure(cudaMalloc(&image_, words * sizeof(std::uint32_t)));
    ensure(cudaMalloc(&sums_, tiles * sizeof(std::uint32_t)));
}

Scorer::~Scorer() {
    for (auto e : spare_) cudaEventDestroy(e);
    cudaStreamDestroy(stream_);
    cudaFree(image_);
    cudaFree(sums_);
}

void Scorer::submit(TileRef tile) {
    cudaEvent_t taken;
    if (spare_.empty()) {
        ensure(cudaEventCreateWithFlags(&taken, cudaEventDisableTiming));
    } else {
        taken = spare_.back();
        spare_.pop_back();
    }
    ensure(cudaMemcpyAsync(image_, tile->pixels, words_ * sizeof(std::uint32_t), cudaMemcpyHostToDevice, stream_));
    ensure(cudaEventRecord(taken, stream_));
    focus_pass<<<1, 512, 0, stream_>>>(image_, words_, 25'000'000LL, sums_ + tile->number);
    ensure(cudaGetLastError());
    pending_.push_back({std::move(tile), taken});
    retire(2);
}

void Scorer::retire(std::size_t keep) {
    while (pending_.size() > keep) {
        auto& [tile, taken] = pending_.front();
        ensure(cudaEventSynchronize(taken));
        spare_.push_back(taken);
        pending_.pop_front();
    }
}

void Scorer::drain(std::uint32_t* sums) {
    retire(0);
    ensure(cudaStreamSynchronize(stream_));
    ensure(cudaMemcpy(sums, sums_, tiles_ * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
}

}  // namespace slide
