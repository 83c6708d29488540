#pragma once
#include <cuda_runtime.h>
#include <stdexcept>

namespace audio {

class DeviceError : public std::exception {
public:
    explicit DeviceError(cudaError_t e) : code_(e) {}
    const char* what() const noexcept override { return cudaGetErrorName(code_); }

private:
    cudaError_t code_;
};

#define AUDIO_CHECK(x)                                \
    do {                                              \
        if (cudaError_t e_ = (x); e_ != cudaSuccess)  \
            throw ::audio::DeviceError(e_);           \
    } while (0)

}  // namespace audio
