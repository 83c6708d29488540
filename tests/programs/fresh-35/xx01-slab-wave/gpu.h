// Thin RAII layer over the CUDA runtime used by the acoustic solver.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace acoustic {

class GpuError : public std::runtime_error {
public:
    GpuError(cudaError_t code, const char* what) : std::runtime_error(what), code_(code) {}
    const char* name() const { return cudaGetErrorName(code_); }

private:
    cudaError_t code_;
};

inline void require(cudaError_t code, const char* what) {
    if (code != cudaSuccess) throw GpuError(code, what);
}

#define GPU_CHECK(expr) ::acoustic::require((expr), #expr)

class Stream;

class Event {
public:
    Event() { GPU_CHECK(cudaEventCreateWithFlags(&handle_, cudaEventDisableTiming)); }
    ~Event() {
        if (handle_) cudaEventDestroy(handle_);
    }
    Event(Event&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record(const Stream& stream);
    cudaEvent_t get() const { return handle_; }

private:
    cudaEvent_t handle_ = nullptr;
};

class Stream {
public:
    Stream() { GPU_CHECK(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
    ~Stream() {
        if (handle_) cudaStreamDestroy(handle_);
    }
    Stream(Stream&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    void wait(const Event& event) const { GPU_CHECK(cudaStreamWaitEvent(handle_, event.get(), 0)); }
    void synchronize() const { GPU_CHECK(cudaStreamSynchronize(handle_)); }
    cudaStream_t get() const { return handle_; }

private:
    cudaStream_t handle_ = nullptr;
};

inline void Event::record(const Stream& stream) { GPU_CHECK(cudaEventRecord(handle_, stream.get())); }

template <typename T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t count) : count_(count) {
        GPU_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
    }
    ~DeviceArray() {
        if (data_) cudaFree(data_);
    }
    DeviceArray(DeviceArray&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return count_; }
    std::size_t bytes() const { return count_ * sizeof(T); }

    void clear(const Stream& stream) { GPU_CHECK(cudaMemsetAsync(data_, 0, bytes(), stream.get())); }

    void upload(const T* source, std::size_t count, std::size_t offset, const Stream& stream) {
        GPU_CHECK(cudaMemcpyAsync(data_ + offset, source, count * sizeof(T), cudaMemcpyHostToDevice, stream.get()));
    }

    void download(T* target, std::size_t count, std::size_t offset, const Stream& stream) const {
        GPU_CHECK(cudaMemcpyAsync(target, data_ + offset, count * sizeof(T), cudaMemcpyDeviceToHost, stream.get()));
    }

private:
    T* data_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace acoustic
