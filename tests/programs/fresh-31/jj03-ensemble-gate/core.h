// Queues, arrays and checks shared by the ensemble code.
#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace ens {

inline void check(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

enum class Urgency { normal, urgent };

class Queue {
public:
    explicit Queue(Urgency u = Urgency::normal) {
        int least = 0, greatest = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        check(cudaStreamCreateWithPriority(&s_, cudaStreamDefault,
                                           u == Urgency::urgent ? greatest : least));
    }
    ~Queue() { cudaStreamDestroy(s_); }
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;
    cudaStream_t handle() const { return s_; }
    void finish() const { check(cudaStreamSynchronize(s_)); }

private:
    cudaStream_t s_ = nullptr;
};

template <class T>
class Array {
public:
    explicit Array(size_t n) : n_(n) {
        void* p = nullptr;
        check(cudaMalloc(&p, n * sizeof(T)));
        p_.reset(static_cast<T*>(p));
    }
    T* get() const { return p_.get(); }
    size_t size() const { return n_; }

private:
    struct Drop {
        void operator()(T* p) const { cudaFree(p); }
    };
    size_t n_;
    std::unique_ptr<T, Drop> p_;
};

}  // namespace ens
