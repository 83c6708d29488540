#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

namespace mosaic {

struct GpuError : std::runtime_error {
    explicit GpuError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void must(cudaError_t e) {
    if (e != cudaSuccess) throw GpuError(e);
}

constexpr int kTiles = 16;
constexpr int kTilePixels = 4096;
constexpr int kTable = 8192;

// Device buffers shared by the operators of one mosaic.
struct Canvas {
    float* source = nullptr;
    float* warped = nullptr;
    float* blended = nullptr;
    unsigned* ready = nullptr;  // one word per tile

    Canvas() {
        const size_t bytes = sizeof(float) * kTiles * kTilePixels;
        must(cudaMalloc(&source, bytes));
        must(cudaMalloc(&warped, bytes));
        must(cudaMalloc(&blended, bytes));
        must(cudaMalloc(&ready, sizeof(unsigned) * kTiles));
        must(cudaMemset(ready, 0, sizeof(unsigned) * kTiles));
        must(cudaMemset(blended, 0, bytes));
    }
    ~Canvas() {
        cudaFree(source);
        cudaFree(warped);
        cudaFree(blended);
        cudaFree(ready);
    }
    Canvas(const Canvas&) = delete;
};

class Operator {
public:
    virtual ~Operator() = default;
    virtual std::string name() const = 0;
    virtual void launch(Canvas& canvas, cudaStream_t stream) = 0;
};

std::unique_ptr<Operator> make_warp(float gain);
std::unique_ptr<Operator> make_blend(float weight);

}  // namespace mosaic
