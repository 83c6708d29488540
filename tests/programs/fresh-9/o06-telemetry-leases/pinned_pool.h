#pragma once
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

struct CudaFault : std::runtime_error {
    explicit CudaFault(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};
inline void guard(cudaError_t e) {
    if (e != cudaSuccess) throw CudaFault(e);
}

// A fixed set of page-locked buffers, lent one at a time.
class PinnedPool {
public:
    struct Return {
        PinnedPool* home;
        void operator()(float* p) const { home->put(p); }
    };
    using Lease = std::unique_ptr<float[], Return>;

    PinnedPool(int buffers, size_t floats) {
        for (int i = 0; i < buffers; ++i) {
            float* p = nullptr;
            guard(cudaMallocHost(&p, floats * sizeof(float)));
            all_.push_back(p);
        }
        free_ = all_;
    }
    ~PinnedPool() {
        for (float* p : all_) cudaFreeHost(p);
    }
    PinnedPool(const PinnedPool&) = delete;

    Lease acquire() {
        std::unique_lock<std::mutex> lk(m_);
        some_.wait(lk, [this] { return !free_.empty(); });
        float* p = free_.back();
        free_.pop_back();
        return Lease(p, Return{this});
    }

private:
    void put(float* p) {
        {
            std::lock_guard<std::mutex> lk(m_);
            free_.push_back(p);
        }
        some_.notify_one();
    }

    std::mutex m_;
    std::condition_variable some_;
    std::vector<float*> all_, free_;
};
