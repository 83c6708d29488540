#pragma once
// RAII layer over the CUDA runtime and the frame pool shared by the analytics services.
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace va {

class GpuError : public std::runtime_error {
public:
    explicit GpuError(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void check(cudaError_t code) {
    if (code != cudaSuccess) throw GpuError(code);
}

class Stream {
public:
    Stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
    ~Stream() {
        if (handle_) cudaStreamDestroy(handle_);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    void finish() const { check(cudaStreamSynchronize(handle_)); }
    cudaStream_t get() const { return handle_; }

private:
    cudaStream_t handle_ = nullptr;
};

template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t n) : size_(n) {
        check(cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T)));
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

class FramePool;

// Move-only handle of one page-locked frame buffer; goes home when destroyed.
class FrameLease {
public:
    FrameLease() = default;
    FrameLease(FramePool* pool, std::uint8_t* pixels) : pool_(pool), pixels_(pixels) {}
    FrameLease(FrameLease&& other) noexcept;
    FrameLease& operator=(FrameLease&& other) noexcept;
    ~FrameLease();

    std::uint8_t* pixels() const { return pixels_; }
    void reset();

private:
    FramePool* pool_ = nullptr;
    std::uint8_t* pixels_ = nullptr;
};

struct DecodedFrame {
    int id = -1;
    FrameLease lease;
};

class FramePool {
public:
    FramePool(std::size_t frames, std::size_t frame_bytes);
    ~FramePool();
    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;

    FrameLease acquire();  // blocks until a buffer is available
    std::size_t frame_bytes() const { return frame_bytes_; }

private:
    friend class FrameLease;
    void give_back(std::uint8_t* pixels);

    std::size_t frame_bytes_;
    std::vector<std::uint8_t*> owned_;
    std::vector<std::uint8_t*> idle_;
    std::mutex mutex_;
    std::condition_variable available_;
};

}  // namespace va
