#pragma once
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <cuda_runtime.h>

namespace srv {

inline void check(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::quick_exit(1);
}

template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    explicit DeviceArray(std::size_t n)
    {
        void *p = nullptr;
        check(cudaMalloc(&p, n * sizeof(T)));
        p_.reset(static_cast<T *>(p));
    }
    T *data() const { return p_.get(); }

private:
    struct Release {
        void operator()(T *p) const { cudaFree(p); }
    };
    std::unique_ptr<T, Release> p_;
};

template <class T>
class PinnedArray {
public:
    explicit PinnedArray(std::size_t n)
    {
        void *p = nullptr;
        check(cudaMallocHost(&p, n * sizeof(T)));
        p_.reset(static_cast<T *>(p));
    }
    T *data() const { return p_.get(); }

private:
    struct Release {
        void operator()(T *p) const { cudaFreeHost(p); }
    };
    std::unique_ptr<T, Release> p_;
};

} // namespace srv
