#pragma once
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace kws {

class GpuError : public std::runtime_error {
public:
    explicit GpuError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void expect(cudaError_t e) {
    if (e != cudaSuccess) throw GpuError(e);
}

// Swaps the capture interaction mode of the calling thread for a scope.
class CaptureMode {
public:
    explicit CaptureMode(cudaStreamCaptureMode mode) : mode_(mode) {
        expect(cudaThreadExchangeStreamCaptureMode(&mode_));
    }
    ~CaptureMode() { cudaThreadExchangeStreamCaptureMode(&mode_); }
private:
    cudaStreamCaptureMode mode_;
};

struct Weights {
    float* data = nullptr;
    int count = 0;
};
}  // namespace kws
