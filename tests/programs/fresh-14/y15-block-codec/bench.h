#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace bench {

inline void guard(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

struct Options {
    int warmup = 2;
    int repetitions = 7;
};

struct Result {
    std::string name;
    std::vector<float> samples;

    float median() const {
        std::vector<float> s = samples;
        std::sort(s.begin(), s.end());
        return s[s.size() / 2];
    }
};

// Runs device work several times and reports the median time of one call.
class Runner {
public:
    explicit Runner(Options options = {}) : options_(options) {
        guard(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        guard(cudaEventCreate(&begin_));
        guard(cudaEventCreate(&end_));
    }
    ~Runner() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
        cudaStreamDestroy(stream_);
    }

    template <class Body>
    Result run(std::string name, Body&& body) {
        Result result{std::move(name), {}};
        for (int i = 0; i < options_.warmup; ++i) body(stream_);
        guard(cudaDeviceSynchronize());
        for (int i = 0; i < options_.repetitions; ++i) {
            guard(cudaEventRecord(begin_, stream_));
            body(stream_);
            guard(cudaEventRecord(end_, stream_));
            guard(cudaEventSynchronize(end_));
            float ms = 0.0f;
            guard(cudaEventElapsedTime(&ms, begin_, end_));
            result.samples.push_back(ms);
        }
        return result;
    }

    const Options& options() const { return options_; }

private:
    Options options_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace bench
