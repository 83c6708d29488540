#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#define PLASMA_OK(call)                                        \
    do {                                                       \
        const cudaError_t rc_ = (call);                        \
        if (rc_ != cudaSuccess) {                              \
            std::printf("ERROR %s\n", cudaGetErrorName(rc_));  \
            std::fflush(stdout);                               \
            std::_Exit(2);                                     \
        }                                                      \
    } while (0)

namespace plasma {

struct PoolDelete {
    cudaStream_t stream;
    void operator()(float* p) const { cudaFreeAsync(p, stream); }
};

// A field of one time step. Storage comes from the device's memory pool.
class Field {
public:
    Field(int cells, int step, cudaStream_t stream) : cells_(cells), step_(step), data_(nullptr, PoolDelete{stream}) {
        void* p = nullptr;
        PLASMA_OK(cudaMallocAsync(&p, cells * sizeof(float), stream));
        data_.reset(static_cast<float*>(p));
    }
    float* data() const { return data_.get(); }
    int cells() const { return cells_; }
    int step() const { return step_; }

private:
    int cells_;
    int step_;
    std::unique_ptr<float, PoolDelete> data_;
};

using FieldPtr = std::shared_ptr<const Field>;

inline void keepPoolWarm() {
    cudaMemPool_t pool;
    PLASMA_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    uint64_t keep = UINT64_MAX;
    PLASMA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
}

}  // namespace plasma
