// pixl: filters on single-channel float images, run directly or as a CUDA graph.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "staging.h"

namespace pixl {

class CudaError : public std::runtime_error {
public:
    explicit CudaError(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void check(cudaError_t code) {
    if (code != cudaSuccess) throw CudaError(code);
}

struct Extent {
    int width = 0;
    int height = 0;
    size_t pixels() const { return static_cast<size_t>(width) * height; }
};

/// A step of a pipeline. Queues its work in `stream`; host tables come from `staging`.
class Filter {
public:
    virtual ~Filter() = default;
    virtual void enqueue(Staging& staging, cudaStream_t stream, const float* src, float* dst) = 0;
};

std::unique_ptr<Filter> makeGaussian(Extent extent, float sigma, int radius);
std::unique_ptr<Filter> makeGain(Extent extent, float gain, float offset);

/// Weights of a normalised Gaussian of 2 * radius + 1 taps.
void gaussianTaps(float sigma, int radius, float* taps);

class Pipeline {
public:
    explicit Pipeline(Extent extent);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    Pipeline& add(std::unique_ptr<Filter> filter);
    void enqueue(Staging& staging, cudaStream_t stream, const float* src, float* dst);

private:
    Extent extent_;
    std::vector<std::unique_ptr<Filter>> filters_;
    float* scratch_[2] = {nullptr, nullptr};
};

/// State shared by the pipelines of a thread.
class Context {
public:
    Context();
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    Staging& beginFrame();
    void endFrame(cudaStream_t stream);

    /// Queues one pass of the pipeline.
    void run(Pipeline& pipeline, cudaStream_t stream, const float* src, float* dst);

private:
    Staging staging_;
    cudaEvent_t frameDone_ = nullptr;
};

/// A pipeline as an executable graph, bound to its images. May be launched any number of times.
class CapturedPipeline {
public:
    CapturedPipeline(Context& context, Pipeline& pipeline, cudaStream_t stream, const float* src,
                     float* dst);
    ~CapturedPipeline();
    CapturedPipeline(const CapturedPipeline&) = delete;
    CapturedPipeline& operator=(const CapturedPipeline&) = delete;

    void launch(cudaStream_t stream) const { check(cudaGraphLaunch(exec_, stream)); }

private:
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace pixl
