#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>

namespace replay {

struct ReplayError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void verify(cudaError_t e) {
    if (e != cudaSuccess) throw ReplayError(cudaGetErrorName(e));
}

inline void verify(CUresult r) {
    if (r == CUDA_SUCCESS) return;
    const char* name = "CUDA_ERROR_UNKNOWN";
    cuGetErrorName(r, &name);
    throw ReplayError(name);
}

// Word in mapped host memory which all lanes watch; opened once per session.
class OpeningBell {
public:
    OpeningBell() {
        verify(cudaHostAlloc(&word_, sizeof(*word_), cudaHostAllocMapped | cudaHostAllocPortable));
        *word_ = 0;
        void* dev = nullptr;
        verify(cudaHostGetDevicePointer(&dev, const_cast<unsigned*>(word_), 0));
        device_ = reinterpret_cast<CUdeviceptr>(dev);
    }
    ~OpeningBell() { cudaFreeHost(const_cast<unsigned*>(word_)); }
    void ring() { *word_ = 1; }
    CUdeviceptr address() const { return device_; }
private:
    volatile unsigned* word_ = nullptr;
    CUdeviceptr device_ = 0;
};

class CountDown {
public:
    explicit CountDown(int n) : left_(n) {}
    void arrive() {
        std::lock_guard<std::mutex> lock(m_);
        if (--left_ == 0) cv_.notify_all();
    }
    void wait() {
        std::unique_lock<std::mutex> lock(m_);
        cv_.wait(lock, [this] { return left_ <= 0; });
    }
private:
    std::mutex m_;
    std::condition_variable cv_;
    int left_;
};

class Lane {
public:
    Lane(int id, int ticks);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    void warmUp();
    void arm(const OpeningBell& bell);
    int settle();

private:
    int id_;
    int ticks_;
    cudaStream_t stream_ = nullptr;
    int* feed_ = nullptr;
    int* prices_ = nullptr;
    long long* position_ = nullptr;
    long long* report_ = nullptr;
};

}  // namespace replay
