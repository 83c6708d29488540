#pragma once
#include <cuda_runtime.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <thread>

namespace kv {

inline void guard(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

struct SteadyClock {
    static double ms() {
        using namespace std::chrono;
        return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
    }
};

// Service times of requests in a stream.
template <class Clock>
class Probe {
public:
    explicit Probe(cudaStream_t stream) : stream_(stream) {}
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;

    template <class F>
    void measure(F&& request) {
        samples_.emplace_back();
        Sample* s = &samples_.back();
        s->owner = this;
        guard(cudaLaunchHostFunc(stream_, &Probe::on_begin, s));
        request(stream_);
        guard(cudaLaunchHostFunc(stream_, &Probe::on_end, s));
    }

    double mean_ms() const {
        while (closed_.load(std::memory_order_acquire) != samples_.size()) std::this_thread::yield();
        double sum = 0;
        for (const Sample& s : samples_) sum += s.end - s.begin;
        return sum / double(samples_.size());
    }
    std::size_t count() const { return samples_.size(); }

private:
    struct Sample {
        Probe* owner = nullptr;
        double begin = 0;
        double end = 0;
    };
    static void on_begin(void* p) { static_cast<Sample*>(p)->begin = Clock::ms(); }
    static void on_end(void* p) {
        Sample* s = static_cast<Sample*>(p);
        s->end = Clock::ms();
        s->owner->closed_.fetch_add(1, std::memory_order_release);
    }

    cudaStream_t stream_;
    std::deque<Sample> samples_;
    std::atomic<std::size_t> closed_{0};
};

}  // namespace kv
