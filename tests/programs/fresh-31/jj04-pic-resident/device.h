// Device helpers of the particle code.
#pragma once
#include <cuda_runtime.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace pic {

[[noreturn]] inline void die(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}
#define PIC_TRY(x) do { cudaError_t pic_rc_ = (x); if (pic_rc_ != cudaSuccess) ::pic::die(pic_rc_); } while (0)

class Stream {
public:
    Stream() { PIC_TRY(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(s_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return s_; }

private:
    cudaStream_t s_ = nullptr;
};

template <class T>
struct DeviceField {
    explicit DeviceField(int n) : n(n) { PIC_TRY(cudaMalloc(&p, n * sizeof(T))); }
    ~DeviceField() { cudaFree(p); }
    DeviceField(const DeviceField&) = delete;
    DeviceField& operator=(const DeviceField&) = delete;
    int n;
    T* p = nullptr;
};

template <class T>
struct PinnedField {
    explicit PinnedField(int n) : n(n) { PIC_TRY(cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocMapped)); }
    ~PinnedField() { cudaFreeHost(p); }
    PinnedField(const PinnedField&) = delete;
    PinnedField& operator=(const PinnedField&) = delete;
    T& operator[](int i) { return p[i]; }
    T* device() const {
        void* d = nullptr;
        PIC_TRY(cudaHostGetDevicePointer(&d, p, 0));
        return static_cast<T*>(d);
    }
    int n;
    T* p = nullptr;
};

struct Stopwatch {
    std::chrono::steady_clock::time_point t0 = std::chrono::steady_clock::now();
    double ms() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
    }
};

}  // namespace pic
