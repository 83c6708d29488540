#pragma once

#include <cuda_runtime.h>

namespace tuneplan {

/// Device time between two points of a stream.
class Stopwatch {
public:
    explicit Stopwatch(cudaStream_t stream);
    ~Stopwatch();
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    void start();
    void stop();
    /// Milliseconds of the last start/stop pair; blocks until they are reached.
    float elapsed() const;

private:
    cudaStream_t stream_;
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
};

}  // namespace tuneplan
