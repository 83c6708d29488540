#include <algorithm>
#include <chrono>

#include "correlator.h"

namespace ingest {
namespace {

constexpr int kThreads = 512;

__global__ void correlate_kernel(const uint32_t* samples, const uint32_t* taps, unsigned long long* partial,
                                 long long ns) {
    __shared__ unsigned long long sum;
    long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    unsigned long long mine = 0;
    for (size_t i = blockIdx.x * kThreads + threadIdx.x; i < kChunkSamples; i += kPartials * kThreads) {
        mine += static_cast<unsigned long long>(samples[i]) * taps[i % kTaps];
    }
    atomicAdd(&sum, mine);
    __syncthreads();
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

// One line of the observing log.
__global__ void log_line(unsigned long long* lines) { atomicAdd(lines, 1ull); }

double since(std::chrono::steady_clock::time_point t0) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
}

}  // namespace

Correlator::Correlator(const std::vector<uint32_t>& taps)
    : feed_(open_stream(Role::kFeed)), work_(open_stream(Role::kWork)), results_(kChunks * kPartials) {
    for (int d = 0; d < kDepth; ++d) {
        const size_t i = static_cast<size_t>(d);
        intake_[i].resize(kChunkSamples);
        okay(cudaMalloc(reinterpret_cast<void**>(&device_[i]), kChunkSamples * sizeof(uint32_t)));
        okay(cudaEventCreateWithFlags(&landed_[i], cudaEventDisableTiming));
        okay(cudaEventCreateWithFlags(&emptied_[i], cudaEventDisableTiming));
    }
    okay(cudaMalloc(reinterpret_cast<void**>(&taps_), kTaps * sizeof(uint32_t)));
    okay(cudaMalloc(reinterpret_cast<void**>(&partial_), kChunks * kPartials * sizeof(unsigned long long)));
    okay(cudaMalloc(reinterpret_cast<void**>(&lines_), sizeof(unsigned long long)));
    okay(cudaMemcpyAsync(taps_, taps.data(), kTaps * sizeof(uint32_t), cudaMemcpyHostToDevice, work_));
    okay(cudaMemset(lines_, 0, sizeof(unsigned long long)));
    okay(cudaDeviceSynchronize());
}

Correlator::~Correlator() {
    cudaDeviceSynchronize();
    for (size_t d = 0; d < kDepth; ++d) {
        cudaFree(device_[d]);
        cudaEventDestroy(landed_[d]);
        cudaEventDestroy(emptied_[d]);
    }
    cudaFree(taps_);
    cudaFree(partial_);
    cudaFree(lines_);
    cudaStreamDestroy(feed_);
    cudaStreamDestroy(work_);
}

void Correlator::correlate(int k, long long ns) {
    correlate_kernel<<<kPartials, kThreads, 0, work_>>>(device_[static_cast<size_t>(k % kDepth)], taps_,
                                                        partial_ + k * kPartials, ns);
    okay(cudaGetLastError());
}

void Correlator::calibrate(Timing* t) {
    constexpr size_t bytes = kChunkSamples * sizeof(uint32_t);
    constexpr int rounds = 4;
    for (int pass = 0; pass < 2; ++pass) {
        const auto t0 = std::chrono::steady_clock::now();
        for (int r = 0; r < rounds; ++r) {
            okay(cudaMemcpyAsync(device_[static_cast<size_t>(r % kDepth)], intake(r).data(), bytes,
                                 cudaMemcpyHostToDevice, feed_));
        }
        okay(cudaStreamSynchronize(feed_));
        t->copy_ms = since(t0) / rounds;
    }
    correlate(0, 0);
    okay(cudaStreamSynchronize(work_));
    log_line<<<1, 1>>>(lines_);
    okay(cudaDeviceSynchronize());
    okay(cudaMemset(lines_, 0, sizeof(unsigned long long)));
    t->work_ms = std::max(t->copy_ms, 1.0);
}

void Correlator::process(Timing* t) {
    constexpr size_t bytes = kChunkSamples * sizeof(uint32_t);
    const long long ns = static_cast<long long>(t->work_ms * 1e6);
    const auto t0 = std::chrono::steady_clock::now();
    for (int k = 0; k < kChunks; ++k) {
        const size_t d = static_cast<size_t>(k % kDepth);
        if (k >= kDepth) {
            okay(cudaEventSynchronize(landed_[d]));
            okay(cudaStreamWaitEvent(feed_, emptied_[d], 0));
        }
        Samples& fresh = intake(k);
        fresh[0] = static_cast<uint32_t>(k);
        okay(cudaMemcpyAsync(device_[d], fresh.data(), bytes, cudaMemcpyHostToDevice, feed_));
        okay(cudaEventRecord(landed_[d], feed_));
        okay(cudaStreamWaitEvent(work_, landed_[d], 0));
        correlate(k, ns);
        okay(cudaEventRecord(emptied_[d], work_));
        log_line<<<1, 1>>>(lines_);
        okay(cudaGetLastError());
    }
    okay(cudaMemcpyAsync(results_.data(), partial_, results_.size() * sizeof(unsigned long long),
                         cudaMemcpyDeviceToHost, work_));
    okay(cudaStreamSynchronize(work_));
    t->total_ms = since(t0);
}

unsigned long long Correlator::result(int chunk) const {
    unsigned long long sum = 0;
    for (int p = 0; p < kPartials; ++p) sum += results_[static_cast<size_t>(chunk * kPartials + p)];
    return sum;
}

unsigned long long Correlator::lines() const {
    unsigned long long n = 0;
    okay(cudaMemcpy(&n, lines_, sizeof n, cudaMemcpyDeviceToHost));
    return n;
}

}  // namespace ingest
