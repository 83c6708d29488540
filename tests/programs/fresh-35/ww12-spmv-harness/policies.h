// Measurement policies: clocks, cache states and statistics to be combined freely.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

namespace bench {

inline void must(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

class EventClock {
public:
    EventClock()
    {
        must(cudaEventCreate(&start_));
        must(cudaEventCreate(&stop_));
    }
    ~EventClock() { cudaEventDestroy(start_), cudaEventDestroy(stop_); }
    EventClock(const EventClock&) = delete;

    void start(cudaStream_t s) { must(cudaEventRecord(start_, s)); }
    void stop(cudaStream_t s) { must(cudaEventRecord(stop_, s)); }
    double milliseconds()
    {
        must(cudaEventSynchronize(stop_));
        float ms = 0;
        must(cudaEventElapsedTime(&ms, start_, stop_));
        return ms;
    }

private:
    cudaEvent_t start_{}, stop_{};
};

struct WarmCache {
    void prepare(cudaStream_t) {}
};

class ColdCache {
public:
    ColdCache() { must(cudaMalloc(&junk_, kBytes)); }
    ~ColdCache() { cudaFree(junk_); }
    ColdCache(const ColdCache&) = delete;

    // Quiet device, then the second level cache full of something else.
    void prepare(cudaStream_t s)
    {
        must(cudaDeviceSynchronize());
        must(cudaMemsetAsync(junk_, 0x5a, kBytes, s));
    }

private:
    static constexpr std::size_t kBytes = 96u << 20;
    void* junk_ = nullptr;
};

struct MedianStatistics {
    static double reduce(std::vector<double> v)
    {
        std::sort(v.begin(), v.end());
        return v[v.size() / 2];
    }
};

struct TrimmedMeanStatistics {
    static double reduce(std::vector<double> v)
    {
        std::sort(v.begin(), v.end());
        const std::size_t cut = v.size() / 5;
        double s = 0;
        for (std::size_t i = cut; i < v.size() - cut; ++i) s += v[i];
        return s / double(v.size() - 2 * cut);
    }
};

template <class Clock, class Cache, class Statistics>
class Benchmark {
public:
    Benchmark(int warmups, int samples) : warmups_(warmups), samples_(samples) {}

    template <class Operation>
    double run(Operation&& operation, cudaStream_t stream)
    {
        for (int i = 0; i < warmups_; ++i) operation(stream);
        std::vector<double> ms;
        for (int i = 0; i < samples_; ++i) {
            cache_.prepare(stream);
            clock_.start(stream);
            operation(stream);
            clock_.stop(stream);
            ms.push_back(clock_.milliseconds());
        }
        return Statistics::reduce(std::move(ms));
    }

private:
    int warmups_, samples_;
    Clock clock_;
    Cache cache_;
};

}  // namespace bench
