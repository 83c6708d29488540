#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <exception>
#include <utility>

namespace gpu {

class Error : public std::exception {
public:
    explicit Error(cudaError_t code) : code_(code) {}
    const char* what() const noexcept override { return cudaGetErrorName(code_); }
private:
    cudaError_t code_;
};

inline void must(cudaError_t e) {
    if (e != cudaSuccess) throw Error(e);
}

class Event {
public:
    Event() { must(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
    Event(Event&& o) noexcept : e_(std::exchange(o.e_, nullptr)) {}
    ~Event() { if (e_) cudaEventDestroy(e_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record(cudaStream_t s) { must(cudaEventRecord(e_, s)); }
    void hostWait() const { must(cudaEventSynchronize(e_)); }
    operator cudaEvent_t() const { return e_; }
private:
    cudaEvent_t e_ = nullptr;
};

class Stream {
public:
    Stream() { must(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Stream() { if (s_) cudaStreamDestroy(s_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    void follow(const Event& e) { must(cudaStreamWaitEvent(s_, e, 0)); }
    void drain() const { must(cudaStreamSynchronize(s_)); }
    operator cudaStream_t() const { return s_; }
private:
    cudaStream_t s_ = nullptr;
};

enum class Place { Device, Pinned };

template <class T, Place P>
class Array {
public:
    explicit Array(std::size_t n) : n_(n) {
        void* raw = nullptr;
        if constexpr (P == Place::Device) must(cudaMalloc(&raw, n * sizeof(T)));
        else must(cudaMallocHost(&raw, n * sizeof(T)));
        p_ = static_cast<T*>(raw);
    }
    Array(Array&& o) noexcept : p_(std::exchange(o.p_, nullptr)), n_(std::exchange(o.n_, 0)) {}
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() {
        if (!p_) return;
        if constexpr (P == Place::Device) cudaFree(p_);
        else cudaFreeHost(p_);
    }
    T* data() const { return p_; }
    std::size_t size() const { return n_; }
    std::size_t bytes() const { return n_ * sizeof(T); }
private:
    T* p_ = nullptr;
    std::size_t n_ = 0;
};

template <class T> using DeviceArray = Array<T, Place::Device>;
template <class T> using PinnedArray = Array<T, Place::Pinned>;

}  // namespace gpu
