#pragma once
#include <cstddef>
#include <new>
#include <vector>
#include "errors.h"

namespace gw {

struct Immovable {
    Immovable() = default;
    Immovable(const Immovable&) = delete;
};

template <class T>
class DeviceArray : Immovable {
public:
    explicit DeviceArray(std::size_t count) : count_(count) {
        GW_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
    }
    ~DeviceArray() {
        if (data_) GW_CHECK(cudaFree(data_));
    }

    void fill_zero(cudaStream_t stream) {
        GW_CHECK(cudaMemsetAsync(data_, 0, count_ * sizeof(T), stream));
    }
    void assign(const std::vector<T>& host, cudaStream_t stream) {
        GW_CHECK(cudaMemcpyAsync(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice, stream));
    }
    T* data() { return data_; }

private:
    T* data_ = nullptr;
    std::size_t count_;
};

template <class T>
class PinnedObject : Immovable {
public:
    PinnedObject() {
        GW_CHECK(cudaHostAlloc(reinterpret_cast<void**>(&object_), sizeof(T), cudaHostAllocMapped));
        new (object_) T();
    }
    ~PinnedObject() { GW_CHECK(cudaFreeHost(object_)); }

    T* operator->() { return object_; }
    T* get() { return object_; }

private:
    T* object_ = nullptr;
};

class Stream : Immovable {
public:
    Stream() { GW_CHECK(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
    ~Stream() { GW_CHECK(cudaStreamDestroy(handle_)); }
    operator cudaStream_t() const { return handle_; }

private:
    cudaStream_t handle_ = nullptr;
};

}  // namespace gw
