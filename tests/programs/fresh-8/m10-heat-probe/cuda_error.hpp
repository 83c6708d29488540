#pragma once
#include <cuda_runtime.h>
#include <exception>

class cuda_error : public std::exception {
    cudaError_t code_;

public:
    explicit cuda_error(cudaError_t c) noexcept : code_(c) {}
    const char* what() const noexcept override { return cudaGetErrorName(code_); }
    static void raise_if(cudaError_t c)
    {
        if (c != cudaSuccess) throw cuda_error(c);
    }
};
