#pragma once

#include <new>
#include <vector>

#include "wx/runtime.h"

namespace wx {

template <class T>
class DeviceField {
public:
    explicit DeviceField(std::size_t n) : n_(n) {
        WX_CALL(cudaMalloc(reinterpret_cast<void**>(&p_), n * sizeof(T)));
    }
    ~DeviceField() { cudaFree(p_); }
    DeviceField(const DeviceField&) = delete;
    DeviceField& operator=(const DeviceField&) = delete;
    T* get() { return p_; }
    std::size_t bytes() const { return n_ * sizeof(T); }

private:
    T* p_ = nullptr;
    std::size_t n_;
};

// Allocator for host containers that take part in transfers.
template <class T>
struct TransferAllocator {
    using value_type = T;
    TransferAllocator() = default;
    template <class U>
    TransferAllocator(const TransferAllocator<U>&) {}
    T* allocate(std::size_t n) {
        void* p = nullptr;
        if (cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocDefault) != cudaSuccess) throw std::bad_alloc();
        return static_cast<T*>(p);
    }
    void deallocate(T* p, std::size_t) { cudaFreeHost(p); }
    template <class U>
    bool operator==(const TransferAllocator<U>&) const { return true; }
    template <class U>
    bool operator!=(const TransferAllocator<U>&) const { return false; }
};

template <class T>
using TransferVector = std::vector<T, TransferAllocator<T>>;

}  // namespace wx
