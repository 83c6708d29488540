#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

namespace steer {

struct CudaFailure : std::runtime_error {
    explicit CudaFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void must(cudaError_t e) {
    if (e != cudaSuccess) throw CudaFailure(e);
}

struct DeviceFree { void operator()(void* p) const { cudaFree(p); } };
struct HostFree { void operator()(void* p) const { cudaFreeHost(p); } };

template <class T> using DevicePtr = std::unique_ptr<T[], DeviceFree>;
template <class T> using HostPtr = std::unique_ptr<T[], HostFree>;

template <class T> DevicePtr<T> onDevice(std::size_t n) {
    void* p = nullptr;
    must(cudaMalloc(&p, n * sizeof(T)));
    must(cudaMemset(p, 0, n * sizeof(T)));
    return DevicePtr<T>(static_cast<T*>(p));
}

template <class T> HostPtr<T> onHost(std::size_t n) {
    void* p = nullptr;
    must(cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocMapped));
    return HostPtr<T>(static_cast<T*>(p));
}

enum Order : int { kRun = 0, kHalt = 1 };

// The wheel between the operator's desk and the solver.
struct Wheel {
    volatile int order;
    volatile int epoch;         // written by the desk
    volatile int acknowledged;  // written by the solver
};

// Shared among the blocks of the solver.
struct Rendezvous {
    unsigned arrived;
    unsigned generation;
    int order;
    int epoch;
};

}  // namespace steer
