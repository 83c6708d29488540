#pragma once

#include <cuda_runtime.h>

#include <stdexcept>

namespace tilec {

class Error : public std::runtime_error {
public:
    explicit Error(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)), code_(code) {}
    cudaError_t code() const { return code_; }

private:
    cudaError_t code_;
};

inline void require(cudaError_t code) {
    if (code != cudaSuccess) throw Error(code);
}

}  // namespace tilec
