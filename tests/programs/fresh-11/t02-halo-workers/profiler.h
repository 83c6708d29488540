#pragma once
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <cuda_runtime.h>

inline void check(cudaError_t status)
{
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

namespace prof {

// Device time per phase, summed over all workers.
class Profile {
public:
    void add(const std::string& phase, float ms)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        total_[phase] += ms;
    }
    void print(std::FILE* to) const
    {
        for (const auto& [phase, ms] : total_) std::fprintf(to, "%-12s %8.2f ms\n", phase.c_str(), ms);
    }

private:
    mutable std::mutex mutex_;
    std::map<std::string, float> total_;
};

// Measures what is put into a stream while the object lives.
class Scope {
public:
    Scope(Profile& profile, std::string phase, cudaStream_t stream)
        : profile_(profile), phase_(std::move(phase)), stream_(stream)
    {
        check(cudaEventCreate(&begin_));
        check(cudaEventCreate(&end_));
        check(cudaEventRecord(begin_, stream_));
    }
    ~Scope()
    {
        check(cudaEventRecord(end_, stream_));
        check(cudaEventSynchronize(end_));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin_, end_));
        profile_.add(phase_, ms);
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

private:
    Profile& profile_;
    std::string phase_;
    cudaStream_t stream_;
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace prof
