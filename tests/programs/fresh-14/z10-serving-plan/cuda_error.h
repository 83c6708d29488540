#pragma once

#include <cuda_runtime.h>

#include <exception>

namespace serve {

class CudaFailure : public std::exception {
public:
    explicit CudaFailure(cudaError_t code) : code_(code) {}
    const char* what() const noexcept override { return cudaGetErrorName(code_); }
    cudaError_t code() const noexcept { return code_; }

private:
    cudaError_t code_;
};

inline void check(cudaError_t e)
{
    if (e != cudaSuccess)
        throw CudaFailure(e);
}

}  // namespace serve
