#pragma once
#include <chrono>
#include <string>
#include <cuda_runtime.h>

namespace bench {

// Wall clock around work on a stream.
class Stopwatch {
public:
    explicit Stopwatch(cudaStream_t stream = nullptr) : stream_(stream) {}
    cudaError_t start()
    {
        const cudaError_t e = cudaStreamSynchronize(stream_);
        begin_ = clock::now();
        return e;
    }
    cudaError_t stop()
    {
        const cudaError_t e = cudaStreamSynchronize(stream_);
        end_ = clock::now();
        return e;
    }
    double ms() const { return std::chrono::duration<double, std::milli>(end_ - begin_).count(); }

private:
    using clock = std::chrono::steady_clock;
    cudaStream_t stream_;
    clock::time_point begin_, end_;
};

struct Row {
    std::string name;
    double ms_per_run;
};

}  // namespace bench
