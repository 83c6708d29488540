#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace risk {

struct CudaFailure : std::runtime_error {
    explicit CudaFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

#define RISK_CUDA(expr)                                        \
    do {                                                       \
        cudaError_t risk_err_ = (expr);                        \
        if (risk_err_ != cudaSuccess) throw CudaFailure(risk_err_); \
    } while (0)

class Stream {
public:
    Stream() { RISK_CUDA(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(handle_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return handle_; }
    void drain() const { RISK_CUDA(cudaStreamSynchronize(handle_)); }
    void after(cudaEvent_t e) const { RISK_CUDA(cudaStreamWaitEvent(handle_, e, 0)); }

private:
    cudaStream_t handle_ = nullptr;
};

class Event {
public:
    Event() { RISK_CUDA(cudaEventCreateWithFlags(&handle_, cudaEventDisableTiming)); }
    ~Event() { cudaEventDestroy(handle_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    operator cudaEvent_t() const { return handle_; }
    void mark(const Stream& s) const { RISK_CUDA(cudaEventRecord(handle_, s)); }
    void wait() const { RISK_CUDA(cudaEventSynchronize(handle_)); }

private:
    cudaEvent_t handle_ = nullptr;
};

template <class T> class DeviceArray {
public:
    explicit DeviceArray(std::size_t n) : n_(n) { RISK_CUDA(cudaMalloc(&p_, n * sizeof(T))); }
    ~DeviceArray() { cudaFree(p_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    T* get() const { return p_; }
    std::size_t bytes() const { return n_ * sizeof(T); }

private:
    T* p_ = nullptr;
    std::size_t n_;
};

}  // namespace risk
