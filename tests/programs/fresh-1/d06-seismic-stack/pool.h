#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace seis {

inline void ok(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

struct Lane {
    cudaStream_t stream = nullptr;
    Lane() { ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
    ~Lane() { cudaStreamDestroy(stream); }
    Lane(const Lane&) = delete;
    void drain() const { ok(cudaStreamSynchronize(stream)); }
};

// Fixed-size scratch blocks that are handed out and come back by themselves.
class BlockPool {
public:
    BlockPool(size_t count, size_t floats) : floats_(floats) {
        for (size_t i = 0; i < count; ++i) {
            float* p = nullptr;
            ok(cudaMalloc(&p, floats * sizeof(float)));
            all_.push_back(p);
            free_.push_back(p);
        }
    }
    ~BlockPool() {
        for (float* p : all_) cudaFree(p);
    }
    BlockPool(const BlockPool&) = delete;

    struct GiveBack {
        BlockPool* pool;
        void operator()(float* p) const { pool->put(p); }
    };
    using Handle = std::unique_ptr<float[], GiveBack>;

    Handle take() {
        if (free_.empty()) {
            std::puts("ERROR PoolExhausted");
            std::exit(1);
        }
        float* p = free_.back();
        free_.pop_back();
        return Handle(p, GiveBack{this});
    }
    size_t floats() const { return floats_; }

private:
    void put(float* p) { free_.push_back(p); }

    size_t floats_;
    std::vector<float*> all_, free_;
};

}  // namespace seis
