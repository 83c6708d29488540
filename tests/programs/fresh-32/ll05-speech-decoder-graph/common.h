#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace speech {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)), code(e) {}
    cudaError_t code;
};

inline void operator_check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

struct DeviceDelete {
    void operator()(float* p) const noexcept { cudaFree(p); }
};
using DeviceFloats = std::unique_ptr<float[], DeviceDelete>;

inline DeviceFloats device_floats(std::size_t n) {
    void* p = nullptr;
    operator_check(cudaMalloc(&p, n * sizeof(float)));
    return DeviceFloats(static_cast<float*>(p));
}

struct StreamDelete {
    void operator()(cudaStream_t s) const noexcept { cudaStreamDestroy(s); }
};
using Stream = std::unique_ptr<CUstream_st, StreamDelete>;

inline Stream make_stream() {
    cudaStream_t s = nullptr;
    operator_check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return Stream(s);
}

}  // namespace speech
