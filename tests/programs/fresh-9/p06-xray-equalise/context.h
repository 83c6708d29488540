#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

#define CHECK(expr)                                             \
    do {                                                        \
        const cudaError_t chk_ = (expr);                        \
        if (chk_ != cudaSuccess) {                              \
            std::printf("ERROR %s\n", cudaGetErrorName(chk_));  \
            std::exit(2);                                       \
        }                                                       \
    } while (0)

// Everything that belongs to one detector: its streams and its geometry.
struct DetectorContext {
    int width = 1024;
    int height = 1024;
    cudaStream_t compute = nullptr;
    cudaStream_t transfer = nullptr;
    cudaEvent_t arrived = nullptr;
    cudaEvent_t processed = nullptr;

    DetectorContext() {
        CHECK(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
        CHECK(cudaStreamCreateWithFlags(&transfer, cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&processed, cudaEventDisableTiming));
    }
    ~DetectorContext() {
        cudaEventDestroy(processed);
        cudaEventDestroy(arrived);
        cudaStreamDestroy(transfer);
        cudaStreamDestroy(compute);
    }
    DetectorContext(const DetectorContext&) = delete;
    int pixels() const { return width * height; }
};

// Device array with a stream for its own maintenance.
template <class T>
class BoundArray {
  public:
    BoundArray(int n, cudaStream_t stream) : n_(n), stream_(stream) { CHECK(cudaMalloc(&p_, n * sizeof(T))); }
    ~BoundArray() { cudaFree(p_); }
    BoundArray(const BoundArray&) = delete;
    BoundArray& operator=(const BoundArray&) = delete;

    T* get() const { return p_; }
    int size() const { return n_; }
    void clear() { CHECK(cudaMemsetAsync(p_, 0, n_ * sizeof(T), stream_)); }
    void upload(const T* host) { CHECK(cudaMemcpyAsync(p_, host, n_ * sizeof(T), cudaMemcpyHostToDevice, stream_)); }
    void download(T* host) const { CHECK(cudaMemcpyAsync(host, p_, n_ * sizeof(T), cudaMemcpyDeviceToHost, stream_)); }

  private:
    int n_;
    cudaStream_t stream_;
    T* p_ = nullptr;
};
