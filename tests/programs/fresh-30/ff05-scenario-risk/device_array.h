#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace risk {
class GpuError : public std::runtime_error {
public:
    explicit GpuError(cudaError_t status) : std::runtime_error(cudaGetErrorName(status)) {}
};

inline void ensure(cudaError_t status)
{
    if (status != cudaSuccess) throw GpuError(status);
}

class Event {
public:
    Event() { ensure(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    ~Event()
    {
        if (event_) cudaEventDestroy(event_);
    }
    void record(cudaStream_t stream) { ensure(cudaEventRecord(event_, stream)); }
    void holdBack(cudaStream_t stream) const { ensure(cudaStreamWaitEvent(stream, event_, 0)); }
private:
    cudaEvent_t event_{};
};

class Stream {
public:
    Stream() { ensure(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    Stream(const Stream&) = delete;
    ~Stream() { cudaStreamDestroy(stream_); }
    operator cudaStream_t() const { return stream_; }
    void join() const { ensure(cudaStreamSynchronize(stream_)); }
private:
    cudaStream_t stream_{};
};

template <class T>
struct Span {
    T* data;
    std::size_t size;
};

// Stream-ordered array. It belongs to the stream that it was made on; streams that read it
// are remembered, and the memory goes back when they are through.
template <class T>
class DeviceArray {
public:
    DeviceArray(std::size_t size, cudaStream_t home) : size_(size), home_(home)
    {
        ensure(cudaMallocAsync(reinterpret_cast<void**>(&data_), size * sizeof(T), home));
    }
    DeviceArray(DeviceArray&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(other.size_), home_(other.home_),
          readers_(std::move(other.readers_))
    {
    }
    ~DeviceArray()
    {
        if (!data_) return;
        for (cudaStream_t reader : readers_) {
            Event done;
            done.record(reader);
            done.holdBack(home_);
        }
        cudaFreeAsync(data_, home_);
    }

    Span<T> edit() { return {data_, size_}; }
    Span<const T> view(std::optional<cudaStream_t> reader = std::nullopt) const
    {
        if (reader) readers_.push_back(*reader);
        return {data_, size_};
    }
private:
    T* data_{};
    std::size_t size_;
    cudaStream_t home_;
    mutable std::vector<cudaStream_t> readers_;
};
}  // namespace risk
