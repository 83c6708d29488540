#pragma once
#include <cuda_runtime.h>

#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>

using Clock = std::chrono::steady_clock;

class CudaFailure : public std::runtime_error {
public:
    explicit CudaFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};
inline void require(cudaError_t e) {
    if (e != cudaSuccess) throw CudaFailure(e);
}

struct PinnedDelete {
    void operator()(void* p) const noexcept { cudaFreeHost(p); }
};
template <class T>
std::unique_ptr<T[], PinnedDelete> pinned(std::size_t n) {
    void* p = nullptr;
    require(cudaMallocHost(&p, n * sizeof(T)));
    return std::unique_ptr<T[], PinnedDelete>(static_cast<T*>(p));
}

struct Stamp {
    unsigned long long begin;
    unsigned long long end;
};

struct Request {
    int id = 0;
    Clock::time_point submitted;
    std::promise<Clock::time_point> finished;
};

void launch_transcode(int* out, int n, int id, Stamp* stamp, unsigned long long ns, cudaStream_t s);
