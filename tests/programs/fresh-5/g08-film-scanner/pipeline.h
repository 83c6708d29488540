// Image pipelines as replayable graphs.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace pipe {

class CudaError : public std::runtime_error {
public:
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

struct Extent {
    int width = 0, height = 0;
    std::size_t pixels() const { return std::size_t(width) * height; }
};

// Device scratch that never shrinks.
class Workspace {
public:
    Workspace() = default;
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;
    ~Workspace() { cudaFree(data_); }

    float* fit(std::size_t count) {
        if (count > capacity_) {
            check(cudaFree(data_));
            data_ = nullptr;
            capacity_ = 0;
            check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(float)));
            capacity_ = count;
        }
        return data_;
    }

private:
    float* data_ = nullptr;
    std::size_t capacity_ = 0;
};

class Stage {
public:
    virtual ~Stage() = default;
    virtual std::string name() const = 0;
    virtual void plan(Extent) {}
    virtual void enqueue(Extent e, const float* in, float* out, cudaStream_t stream) = 0;
};

std::unique_ptr<Stage> make_stage(const std::string& name);

class Pipeline {
public:
    Pipeline();
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    Pipeline& add(const std::string& stage) {
        stages_.push_back(make_stage(stage));
        return *this;
    }

    // Runs the stages once, from `in` to `out`, with `tmp` between them.
    void run(Extent e, const float* in, float* tmp, float* out);

    // Builds the replayable form for one extent and one set of buffers.
    void compile(Extent e, const float* in, float* tmp, float* out);
    void replay();
    void finish() { check(cudaStreamSynchronize(stream_)); }

private:
    void enqueue_all(Extent e, const float* in, float* tmp, float* out);

    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    std::vector<std::unique_ptr<Stage>> stages_;
};

}  // namespace pipe
