#pragma once
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <cuda_runtime.h>

namespace rt {

inline void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::quick_exit(1);
    }
}

class Stream {
public:
    Stream() { check(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(s_); }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;
    operator cudaStream_t() const { return s_; }

private:
    cudaStream_t s_{};
};

struct FreeDevice { void operator()(float *p) const { cudaFree(p); } };
struct FreeHost { void operator()(float *p) const { cudaFreeHost(p); } };
using DeviceVec = std::unique_ptr<float[], FreeDevice>;
using PinnedVec = std::unique_ptr<float[], FreeHost>;

inline DeviceVec device_vec(std::size_t n)
{
    float *p = nullptr;
    check(cudaMalloc(&p, n * sizeof(float)));
    return DeviceVec(p);
}
inline PinnedVec pinned_vec(std::size_t n)
{
    float *p = nullptr;
    check(cudaMallocHost(&p, n * sizeof(float)));
    return PinnedVec(p);
}

} // namespace rt
