#pragma once
#include <chrono>
#include <memory>
#include <string>

#include "stream_pool.h"

namespace bench {

class Case {
public:
    explicit Case(cudaStream_t stream) : stream_(stream) {}
    virtual ~Case() = default;
    virtual std::string name() const = 0;
    virtual void launch() = 0;
    cudaStream_t stream() const { return stream_; }

private:
    cudaStream_t stream_;
};

std::unique_ptr<Case> makeCollide(StreamPool& pool);
std::unique_ptr<Case> makePressure(StreamPool& pool);

class Stopwatch {
public:
    explicit Stopwatch(cudaStream_t stream) : stream_(stream) {
        expect(cudaEventCreate(&begin_));
        expect(cudaEventCreate(&end_));
    }
    ~Stopwatch() {
        cudaEventDestroy(end_);
        cudaEventDestroy(begin_);
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    void start() { expect(cudaEventRecord(begin_, stream_)); }
    double stop() {
        float ms = 0.0f;
        expect(cudaEventRecord(end_, stream_));
        expect(cudaEventSynchronize(end_));
        expect(cudaEventElapsedTime(&ms, begin_, end_));
        return ms;
    }

private:
    cudaStream_t stream_;
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
};

struct Timing {
    double device;
    double wall;
};

class Runner {
public:
    explicit Runner(int repetitions) : repetitions_(repetitions) {}

    Timing measure(Case& c) {
        c.launch();
        expect(cudaDeviceSynchronize());

        Stopwatch watch(c.stream());
        watch.start();
        for (int r = 0; r < repetitions_; ++r) c.launch();
        const double device = watch.stop() / repetitions_;
        expect(cudaDeviceSynchronize());

        const auto begin = std::chrono::steady_clock::now();
        for (int r = 0; r < repetitions_; ++r) c.launch();
        expect(cudaDeviceSynchronize());
        const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - begin;
        return {device, wall.count() / repetitions_};
    }

private:
    int repetitions_;
};

}  // namespace bench
