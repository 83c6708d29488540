#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace frames {

inline void expect(cudaError_t e, const char* where) {
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", where);
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(3);
}
#define EXPECT(call) ::frames::expect((call), #call)

// Owning device array; grows, never shrinks.
template <class T>
class DeviceVector {
public:
    DeviceVector() = default;
    explicit DeviceVector(size_t n) { ensure(n); }
    ~DeviceVector() { reset(); }
    DeviceVector(DeviceVector&& o) noexcept
        : data_(std::exchange(o.data_, nullptr)), capacity_(std::exchange(o.capacity_, 0)) {}
    DeviceVector& operator=(DeviceVector&&) = delete;

    void ensure(size_t n) {
        if (n <= capacity_) return;
        reset();
        EXPECT(cudaMalloc(&data_, n * sizeof(T)));
        capacity_ = n;
    }
    void reset() {
        if (data_) EXPECT(cudaFree(data_));
        data_ = nullptr;
        capacity_ = 0;
    }
    T* data() { return data_; }
    const T* data() const { return data_; }
    size_t capacity() const { return capacity_; }

private:
    T* data_ = nullptr;
    size_t capacity_ = 0;
};

template <class T>
class PinnedVector {
public:
    explicit PinnedVector(size_t n) { EXPECT(cudaMallocHost(&data_, n * sizeof(T))); }
    ~PinnedVector() { cudaFreeHost(data_); }
    PinnedVector(const PinnedVector&) = delete;
    T* data() { return data_; }
    T& operator[](size_t i) { return data_[i]; }

private:
    T* data_ = nullptr;
};

}  // namespace frames
