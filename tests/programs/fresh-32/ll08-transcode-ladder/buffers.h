#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace media {

inline void expect(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}

class Surface {
public:
    Surface() = default;
    explicit Surface(std::size_t bytes) : bytes_(bytes) { expect(cudaMalloc(&data_, bytes)); }
    Surface(Surface&& o) noexcept { swap(o); }
    Surface& operator=(Surface&& o) noexcept {
        Surface tmp(std::move(o));
        swap(tmp);
        return *this;
    }
    ~Surface() {
        if (data_) cudaFree(data_);
    }
    unsigned char* data() const { return static_cast<unsigned char*>(data_); }
    std::size_t bytes() const { return bytes_; }

private:
    void swap(Surface& o) noexcept {
        std::swap(data_, o.data_);
        std::swap(bytes_, o.bytes_);
    }
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

class Queue {
public:
    Queue() { expect(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    Queue(Queue&& o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
    ~Queue() {
        if (s_) cudaStreamDestroy(s_);
    }
    operator cudaStream_t() const { return s_; }

private:
    cudaStream_t s_ = nullptr;
};

}  // namespace media
