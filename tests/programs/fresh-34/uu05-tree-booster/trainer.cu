#include "gbt/trainer.h"

namespace gbt {
namespace {

__device__ long long ticks_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return static_cast<long long>(t);
}

__global__ void histogram_kernel(const uint8_t* bins, const int32_t* residual, int rows, BinStat* out, long long ns) {
    const long long begin = ticks_ns();
    while (ticks_ns() - begin < ns) {
    }
    __shared__ unsigned long long gradient[kBins];
    __shared__ unsigned long long count[kBins];
    for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
        gradient[b] = 0;
        count[b] = 0;
    }
    __syncthreads();
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
        atomicAdd(&gradient[bins[r]], static_cast<unsigned long long>(static_cast<long long>(residual[r])));
        atomicAdd(&count[bins[r]], 1ull);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
        atomicAdd(reinterpret_cast<unsigned long long*>(&out[b].gradient), gradient[b]);
        atomicAdd(reinterpret_cast<unsigned long long*>(&out[b].count), count[b]);
    }
}

__global__ void apply_kernel(const uint8_t* bins, int32_t* residual, int rows, Stump s) {
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
        residual[r] -= bins[r] <= s.threshold ? s.left : s.right;
    }
}

}  // namespace

Trainer::Trainer(const Dataset& data, int streams, long long histogram_ns)
    : data_(data),
      histogram_ns_(histogram_ns),
      bins_(data.bins.size()),
      target_(data.target.size()),
      residual_(data.target.size()),
      host_(static_cast<std::size_t>(data.features) * kBins),
      pin_(host_),
      workers_(streams),
      update_(1) {
    keep_pool_memory();
    guard(cudaMemcpy(bins_.get(), data.bins.data(), bins_.bytes(), cudaMemcpyHostToDevice));
    guard(cudaMemcpy(target_.get(), data.target.data(), target_.bytes(), cudaMemcpyHostToDevice));
}

void Trainer::start_over() {
    guard(cudaMemcpyAsync(residual_.get(), target_.get(), residual_.bytes(), cudaMemcpyDeviceToDevice, legacy_));
    guard(cudaStreamSynchronize(legacy_));
}

void Trainer::build_histogram(int feature) {
    cudaStream_t s = workers_.stream(feature);
    Scratch<BinStat> sums(kBins, s);
    guard(cudaMemsetAsync(sums.get(), 0, kBins * sizeof(BinStat), s));
    histogram_kernel<<<8, 128, 0, s>>>(bins_.get() + static_cast<std::size_t>(feature) * data_.rows, residual_.get(),
                                      data_.rows, sums.get(), histogram_ns_);
    guard(cudaGetLastError());
    guard(cudaMemcpyAsync(host_.data() + feature * kBins, sums.get(), kBins * sizeof(BinStat), cudaMemcpyDeviceToHost, s));
}

Stump Trainer::choose() {
    for (int i = 0; i < workers_.size(); ++i) {
        guard(cudaEventRecord(workers_.event(i), workers_.stream(i)));
    }
    for (int i = 0; i < workers_.size(); ++i) guard(cudaEventSynchronize(workers_.event(i)));
    return best_split(host_.data(), data_.features);
}

void Trainer::apply(const Stump& s) {
    const uint8_t* column = bins_.get() + static_cast<std::size_t>(s.feature) * data_.rows;
    apply_kernel<<<16, 128, 0, update_.stream(0)>>>(column, residual_.get(), data_.rows, s);
    guard(cudaGetLastError());
    guard(cudaEventRecord(update_.event(0), update_.stream(0)));
    for (int i = 0; i < workers_.size(); ++i) {
        guard(cudaStreamWaitEvent(workers_.stream(i), update_.event(0), 0));
    }
}

std::vector<Stump> Trainer::train(int rounds) {
    start_over();
    std::vector<Stump> model;
    for (int round = 0; round < rounds; ++round) {
        for (int f = 0; f < data_.features; ++f) build_histogram(f);
        const Stump s = choose();
        apply(s);
        model.push_back(s);
    }
    guard(cudaStreamSynchronize(update_.stream(0)));
    return model;
}

double Trainer::histogram_ms() {
    start_over();
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    guard(cudaEventCreate(&begin));
    guard(cudaEventCreate(&end));
    float ms = 0.0f;
    for (int pass = 0; pass < 2; ++pass) {
        guard(cudaEventRecord(begin, workers_.stream(0)));
        build_histogram(0);
        guard(cudaEventRecord(end, workers_.stream(0)));
        guard(cudaEventSynchronize(end));
        guard(cudaEventElapsedTime(&ms, begin, end));
    }
    guard(cudaEventDestroy(begin));
    guard(cudaEventDestroy(end));
    return ms;
}

}  // namespace gbt
