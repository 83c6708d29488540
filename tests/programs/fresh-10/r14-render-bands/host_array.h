#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace bands {

struct HeapMemory {
    static void* obtain(std::size_t bytes) { return std::malloc(bytes); }
    static void release(void* p) { std::free(p); }
};

struct LockedMemory {
    static void* obtain(std::size_t bytes) {
        void* p = nullptr;
        return cudaMallocHost(&p, bytes) == cudaSuccess ? p : nullptr;
    }
    static void release(void* p) { cudaFreeHost(p); }
};

template <class T, class Memory = HeapMemory>
class HostArray {
public:
    explicit HostArray(std::size_t count)
        : data_(static_cast<T*>(Memory::obtain(count * sizeof(T)))), count_(count) {
        if (data_ == nullptr) throw std::bad_alloc();
    }
    ~HostArray() { Memory::release(data_); }
    HostArray(const HostArray&) = delete;
    HostArray& operator=(const HostArray&) = delete;

    T* data() { return data_; }
    T& operator[](std::size_t i) { return data_[i]; }
    std::size_t bytes() const { return count_ * sizeof(T); }
    T* begin() { return data_; }
    T* end() { return data_ + count_; }

private:
    T* data_;
    std::size_t count_;
};

}  // namespace bands
