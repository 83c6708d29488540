#pragma once
#include <cuda_runtime.h>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace desk {

inline void gpu(cudaError_t e, const char* = nullptr) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(2);
}

class Event {
  public:
    explicit Event(unsigned flags = cudaEventDefault) { gpu(cudaEventCreateWithFlags(&e_, flags)); }
    ~Event() { cudaEventDestroy(e_); }
    Event(const Event&) = delete;
    void record(cudaStream_t s) { gpu(cudaEventRecord(e_, s)); }
    void hold(cudaStream_t s) const { gpu(cudaStreamWaitEvent(s, e_, 0)); }
    void wait() const { gpu(cudaEventSynchronize(e_)); }
    float since(const Event& earlier) const {
        float ms = 0.f;
        gpu(cudaEventElapsedTime(&ms, earlier.e_, e_));
        return ms;
    }

  private:
    cudaEvent_t e_ = nullptr;
};

struct Lanes {
    cudaStream_t market = nullptr;
    cudaStream_t greeks = nullptr;
    Lanes() {
        int least = 0, greatest = 0;
        gpu(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        gpu(cudaStreamCreateWithPriority(&market, cudaStreamNonBlocking, greatest));
        gpu(cudaStreamCreateWithPriority(&greeks, cudaStreamNonBlocking, least));
    }
    ~Lanes() {
        cudaStreamDestroy(greeks);
        cudaStreamDestroy(market);
    }
};

struct Book {
    int positions = 1 << 14;
    unsigned long long paths_ns = 9'000'000ull;
    unsigned long long var_ns = 12'000'000ull;
    unsigned long long delta_ns = 8'000'000ull;
};

// Revalues a book: scenarios and value-at-risk on the market lane, sensitivities on the greeks lane,
// totals at the end on the greeks lane.
class Revaluation {
  public:
    explicit Revaluation(const Book& b);
    ~Revaluation();
    Revaluation(const Revaluation&) = delete;

    void enqueue(std::uint32_t tick);
    cudaStream_t first() const { return lanes_.market; }
    cudaStream_t last() const { return lanes_.greeks; }
    std::uint32_t total() const;
    static std::uint32_t expected(const Book& b, std::uint32_t tick);

  private:
    Book book_;
    Lanes lanes_;
    Event scenarios_{cudaEventDisableTiming}, risk_{cudaEventDisableTiming}, closed_{cudaEventDisableTiming};
    std::uint32_t *paths_ = nullptr, *var_ = nullptr, *delta_ = nullptr, *total_ = nullptr;
};

struct Latency {
    double device_ms = 0;
    double host_ms = 0;
};

class Stopwatch {
  public:
    Latency steady_state(Revaluation& r, int warmup, int ticks);

  private:
    Event begin_, end_;
};

}  // namespace desk
