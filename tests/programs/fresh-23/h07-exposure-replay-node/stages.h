#pragma once

#include "frames.h"

#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <vector>

namespace isp {

class GpuError : public std::runtime_error {
public:
    explicit GpuError(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void gpu(cudaError_t code) {
    if (code != cudaSuccess) throw GpuError(code);
}

// Device memory of one pipeline instance, shared by its stages.
struct Workspace {
    explicit Workspace(const FrameGeometry& geometry);
    ~Workspace();

    FrameGeometry geometry;
    std::uint16_t* raw = nullptr;
    float* luma = nullptr;
    Metering* metering = nullptr;
};

class Stage {
public:
    virtual ~Stage() = default;
    virtual void enqueue(Workspace& work, cudaStream_t stream) = 0;
};

class Pipeline {
public:
    Pipeline(FrameQueue& queue, FrameGeometry geometry);
    ~Pipeline();

    Metering process();

private:
    void build();

    FrameQueue& queue_;
    Workspace work_;
    cudaStream_t stream_ = nullptr;
    Metering* result_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    std::vector<std::unique_ptr<Stage>> stages_;
};

}  // namespace isp
