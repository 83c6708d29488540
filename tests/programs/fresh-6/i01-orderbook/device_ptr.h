#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

inline void cu(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

struct DeviceFree {
    void operator()(void* p) const noexcept { cudaFree(p); }
};
struct HostFree {
    void operator()(void* p) const noexcept { cudaFreeHost(p); }
};

template <class T>
using DevicePtr = std::unique_ptr<T[], DeviceFree>;
template <class T>
using MappedPtr = std::unique_ptr<T[], HostFree>;

template <class T>
DevicePtr<T> make_device(std::size_t n) {
    void* p = nullptr;
    cu(cudaMalloc(&p, n * sizeof(T)));
    return DevicePtr<T>(static_cast<T*>(p));
}

template <class T>
MappedPtr<T> make_mapped(std::size_t n) {
    void* p = nullptr;
    cu(cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocMapped));
    return MappedPtr<T>(static_cast<T*>(p));
}
