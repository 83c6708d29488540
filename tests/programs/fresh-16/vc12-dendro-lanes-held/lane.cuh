#pragma once
#include <stdexcept>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>

namespace dendro {

constexpr int kYears = 16384;

inline void tryCuda(cudaError_t rc) {
    if (rc != cudaSuccess) throw std::runtime_error(cudaGetErrorName(rc));
}

inline float* raw(thrust::device_vector<float>& v) { return thrust::raw_pointer_cast(v.data()); }

// What one core needs on its way through the device.
struct Lane {
    Lane() : widths(kYears), trend(kYears), index(kYears) { tryCuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
    ~Lane() { cudaStreamDestroy(stream); }
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    void wait() const { tryCuda(cudaStreamSynchronize(stream)); }

    cudaStream_t stream = nullptr;
    thrust::device_vector<float> widths;
    thrust::device_vector<float> trend;
    thrust::device_vector<float> index;
};

}  // namespace dendro
