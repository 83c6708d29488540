#pragma once
#include "op.h"

#include <chrono>

namespace lb {

class event_clock {
public:
    event_clock()
    {
        throw_on(cudaEventCreate(&begin_));
        throw_on(cudaEventCreate(&end_));
    }
    ~event_clock()
    {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    void start(cudaStream_t s) { throw_on(cudaEventRecord(begin_, s)); }
    double stop(cudaStream_t s)
    {
        throw_on(cudaEventRecord(end_, s));
        throw_on(cudaEventSynchronize(end_));
        float ms = 0;
        throw_on(cudaEventElapsedTime(&ms, begin_, end_));
        return ms;
    }

private:
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

class wall_clock {
public:
    void start(cudaStream_t)
    {
        throw_on(cudaDeviceSynchronize());
        begin_ = std::chrono::steady_clock::now();
    }
    double stop(cudaStream_t)
    {
        throw_on(cudaDeviceSynchronize());
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_)
            .count();
    }

private:
    std::chrono::steady_clock::time_point begin_;
};

// Steady-state time of one launch of an operator, in milliseconds.
template <typename Clock>
class bench {
public:
    bench(cudaStream_t stream, int warmups, int launches)
        : stream_(stream), warmups_(warmups), launches_(launches)
    {
    }

    double measure(op& o)
    {
        repeat(o, warmups_);
        o.finish(stream_);
        throw_on(cudaStreamSynchronize(stream_));

        clock_.start(stream_);
        repeat(o, launches_);
        const double total = clock_.stop(stream_);
        o.finish(stream_);
        throw_on(cudaStreamSynchronize(stream_));
        return total / launches_;
    }

private:
    void repeat(op& o, int times)
    {
        for (int i = 0; i < times; ++i) o.launch(stream_);
    }

    cudaStream_t stream_;
    int warmups_, launches_;
    Clock clock_;
};

}  // namespace lb
