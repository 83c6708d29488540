#pragma once
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include "ir.h"

namespace backend {

constexpr int kTile = 2048;

[[noreturn]] void fail(const char* name);
inline void rt(cudaError_t e) {
    if (e != cudaSuccess) fail(cudaGetErrorName(e));
}
inline void drv(CUresult r) {
    if (r == CUDA_SUCCESS) return;
    const char* name = "CUDA_ERROR_UNKNOWN";
    cuGetErrorName(r, &name);
    fail(name);
}

// Literals of a module, in page-locked memory; the module may be run again with other values.
class LiteralPool {
public:
    explicit LiteralPool(std::size_t tiles) { rt(cudaMallocHost(&base_, tiles * kTile * sizeof(float))); }
    ~LiteralPool() { cudaFreeHost(base_); }
    LiteralPool(const LiteralPool&) = delete;
    float* tile(std::size_t i) { return base_ + i * kTile; }

private:
    float* base_ = nullptr;
};

// An expression lowered to one executable graph.
class Module {
public:
    Module(const ir::Node& root, LiteralPool& literals);
    ~Module();
    Module(const Module&) = delete;
    std::vector<float> run();

private:
    cudaStream_t stream_ = nullptr;
    float* arena_ = nullptr;
    float* result_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace backend
