#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <utility>

namespace desk {

class DeviceFault : public std::runtime_error {
public:
    explicit DeviceFault(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void verify(cudaError_t code) {
    if (code != cudaSuccess) throw DeviceFault(code);
}

// Where the memory of a Block comes from.
struct HeapSource {
    static void* take(std::size_t bytes) {
        void* p = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
        if (!p) throw std::bad_alloc();
        return p;
    }
    static void give(void* p) noexcept { std::free(p); }
};

struct PinnedSource {
    static void* take(std::size_t bytes) {
        void* p = nullptr;
        verify(cudaHostAlloc(&p, bytes, cudaHostAllocDefault));
        return p;
    }
    static void give(void* p) noexcept { cudaFreeHost(p); }
};

struct DeviceSource {
    static void* take(std::size_t bytes) {
        void* p = nullptr;
        verify(cudaMalloc(&p, bytes));
        return p;
    }
    static void give(void* p) noexcept { cudaFree(p); }
};

template <typename T, typename Source>
class Block {
public:
    Block() = default;
    explicit Block(std::size_t count)
        : data_(static_cast<T*>(Source::take(count * sizeof(T)))), count_(count) {}
    ~Block() {
        if (data_) Source::give(data_);
    }
    Block(Block&& other) noexcept { swap(other); }
    Block& operator=(Block&& other) noexcept {
        Block moved(std::move(other));
        swap(moved);
        return *this;
    }

    T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return count_; }
    std::size_t bytes() const noexcept { return count_ * sizeof(T); }
    T* begin() const noexcept { return data_; }
    T* end() const noexcept { return data_ + count_; }

private:
    void swap(Block& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(count_, other.count_);
    }

    T* data_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace desk
