// Error handling and memory of the read mapper.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace readmap {

// The mapper is a batch tool: it reports the first error and ends.
inline void cudaTry(cudaError_t code, const char* file, int line) {
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(code));
    std::printf("ERROR %s\n", cudaGetErrorName(code));
    std::fflush(stdout);
    std::exit(1);
}

#define CUDA_TRY(call) ::readmap::cudaTry((call), __FILE__, __LINE__)

template <typename T>
struct DeviceAllocator {
    static T* allocate(std::size_t n) {
        T* p = nullptr;
        CUDA_TRY(cudaMalloc(reinterpret_cast<void**>(&p), n * sizeof(T)));
        return p;
    }
    static void release(T* p) { cudaFree(p); }
};

template <typename T>
struct PinnedAllocator {
    static T* allocate(std::size_t n) {
        T* p = nullptr;
        CUDA_TRY(cudaHostAlloc(reinterpret_cast<void**>(&p), n * sizeof(T), cudaHostAllocDefault));
        return p;
    }
    static void release(T* p) { cudaFreeHost(p); }
};

// Fixed-size, move-only storage; the interface follows std::vector as far as it is needed.
template <typename T, template <typename> class Allocator>
class Buffer {
public:
    Buffer() = default;
    explicit Buffer(std::size_t n) : data_(Allocator<T>::allocate(n)), size_(n) {}
    ~Buffer() { reset(); }
    Buffer(Buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        if (this != &other) {
            reset();
            data_ = std::exchange(other.data_, nullptr);
            size_ = std::exchange(other.size_, 0);
        }
        return *this;
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }

private:
    void reset() {
        if (data_) Allocator<T>::release(data_);
        data_ = nullptr;
        size_ = 0;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
};

template <typename T>
using DeviceBuffer = Buffer<T, DeviceAllocator>;
template <typename T>
using PinnedBuffer = Buffer<T, PinnedAllocator>;

template <typename Container>
std::size_t byteSize(const Container& c) {
    return c.size() * sizeof(*c.data());
}

}  // namespace readmap
