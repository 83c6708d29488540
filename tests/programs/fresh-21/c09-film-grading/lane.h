// Move-only handles for streams and device memory.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

namespace film {

inline void check(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorName(code));
}

class Lane {
public:
    explicit Lane(std::size_t pixels) {
        check(cudaStreamCreate(&stream_));
        float4* p = nullptr;
        check(cudaMalloc(&p, pixels * sizeof(float4)));
        work_.reset(p);
    }
    Lane(Lane&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)), work_(std::move(other.work_)) {}
    Lane& operator=(Lane&&) = delete;
    ~Lane() {
        if (!stream_) return;
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }

    cudaStream_t stream() const noexcept { return stream_; }
    float4* work() const noexcept { return work_.get(); }

private:
    struct Free {
        void operator()(float4* p) const noexcept { cudaFree(p); }
    };

    cudaStream_t stream_ = nullptr;
    std::unique_ptr<float4, Free> work_;
};

}  // namespace film
