#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define DN_CHECK(x)                                              \
    do {                                                         \
        const cudaError_t rc = (x);                              \
        if (rc != cudaSuccess) {                                 \
            std::printf("ERROR %s\n", cudaGetErrorName(rc));     \
            std::exit(1);                                        \
        }                                                        \
    } while (0)

// Camera frames live in an ordinary vector that belongs to the grabber; a FrameLock makes
// the vector available to the copy engines for as long as it lives.
template <class T>
class FrameLock {
public:
    explicit FrameLock(std::vector<T> &v) : v_(v)
    {
        DN_CHECK(cudaHostRegister(v_.data(), v_.size() * sizeof(T), cudaHostRegisterDefault));
    }
    FrameLock(const FrameLock &) = delete;
    ~FrameLock() { cudaHostUnregister(v_.data()); }

private:
    std::vector<T> &v_;
};

struct Lane {
    cudaStream_t stream = nullptr;
    float *in = nullptr;
    float *out = nullptr;
};

class LanePool {
public:
    LanePool(int lanes, int pixels) : lanes_(lanes)
    {
        for (Lane &l : lanes_) {
            DN_CHECK(cudaStreamCreate(&l.stream));
            DN_CHECK(cudaMalloc(&l.in, pixels * sizeof(float)));
            DN_CHECK(cudaMalloc(&l.out, pixels * sizeof(float)));
            DN_CHECK(cudaMemset(l.in, 0, pixels * sizeof(float)));
        }
    }
    ~LanePool()
    {
        for (Lane &l : lanes_) {
            cudaStreamDestroy(l.stream);
            cudaFree(l.in);
            cudaFree(l.out);
        }
    }
    Lane &operator[](int i) { return lanes_[i % lanes_.size()]; }
    int size() const { return (int)lanes_.size(); }
    void drain()
    {
        for (Lane &l : lanes_)
            DN_CHECK(cudaStreamSynchronize(l.stream));
    }

private:
    std::vector<Lane> lanes_;
};

void denoise(const Lane &lane, int pixels);
float denoised(float left, float centre);
