#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>

#define LLM_CHECK(expr)                                                \
    do {                                                               \
        cudaError_t e_ = (expr);                                       \
        if (e_ != cudaSuccess) {                                       \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));           \
            std::exit(1);                                              \
        }                                                              \
    } while (0)

namespace llm {

template <typename T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(std::size_t count) : count_(count) { LLM_CHECK(cudaMalloc(&ptr_, count * sizeof(T))); }
    DeviceBuffer(DeviceBuffer&& o) noexcept : ptr_(std::exchange(o.ptr_, nullptr)), count_(std::exchange(o.count_, 0)) {}
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    ~DeviceBuffer() {
        if (ptr_) cudaFree(ptr_);
    }
    T* get() const { return ptr_; }
    std::size_t size() const { return count_; }

private:
    T* ptr_ = nullptr;
    std::size_t count_ = 0;
};

template <typename T>
class MappedBuffer {
public:
    explicit MappedBuffer(std::size_t count) {
        LLM_CHECK(cudaHostAlloc(&host_, count * sizeof(T), cudaHostAllocMapped));
        LLM_CHECK(cudaHostGetDevicePointer(&dev_, host_, 0));
    }
    MappedBuffer(const MappedBuffer&) = delete;
    MappedBuffer& operator=(const MappedBuffer&) = delete;
    ~MappedBuffer() { cudaFreeHost(host_); }
    T* host() const { return host_; }
    T* device() const { return dev_; }

private:
    T* host_ = nullptr;
    T* dev_ = nullptr;
};

}  // namespace llm
