#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

namespace lm {

struct RuntimeError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void expect(cudaError_t e)
{
    if (e != cudaSuccess) throw RuntimeError(cudaGetErrorName(e));
}

struct DeviceFree { void operator()(void* p) const { cudaFree(p); } };
template <class T>
using DeviceArray = std::unique_ptr<T[], DeviceFree>;

template <class T>
DeviceArray<T> deviceArray(std::size_t n)
{
    void* p = nullptr;
    expect(cudaMalloc(&p, n * sizeof(T)));
    return DeviceArray<T>(static_cast<T*>(p));
}

// Switches the calling thread's capture mode for a scope.
class CaptureMode {
public:
    explicit CaptureMode(cudaStreamCaptureMode m) : mode_(m)
    {
        expect(cudaThreadExchangeStreamCaptureMode(&mode_));
    }
    CaptureMode(const CaptureMode&) = delete;
    ~CaptureMode() { cudaThreadExchangeStreamCaptureMode(&mode_); }

private:
    cudaStreamCaptureMode mode_;
};

// Bump allocator for activations. Grows by chunks and keeps them until it dies.
class Arena {
public:
    template <class T>
    T* take(std::size_t n)
    {
        const std::size_t bytes = (n * sizeof(T) + 255) / 256 * 256;
        if (used_ + bytes > capacity_) grow(bytes);
        T* p = reinterpret_cast<T*>(chunks_.back().get() + used_);
        used_ += bytes;
        return p;
    }

    void rewind() { used_ = 0; }

private:
    void grow(std::size_t bytes)
    {
        const CaptureMode relaxed(cudaStreamCaptureModeRelaxed);
        chunks_.push_back(deviceArray<char>(bytes));
        capacity_ = bytes;
        used_ = 0;
    }

    std::vector<DeviceArray<char>> chunks_;
    std::size_t capacity_ = 0;
    std::size_t used_ = 0;
};

}  // namespace lm
