#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <deque>
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

// Fixed-size scratch blocks, each tied to the lane that holds it; they come back by themselves.
class BlockPool {
    struct Block {
        float* memory = nullptr;
        cudaEvent_t idle = nullptr;
    };

public:
    BlockPool(size_t count, size_t floats) : floats_(floats), blocks_(count) {
        for (Block& b : blocks_) {
            ok(cudaMalloc(&b.memory, floats * sizeof(float)));
            ok(cudaEventCreateWithFlags(&b.idle, cudaEventDisableTiming));
            free_.push_back(&b);
        }
    }
    ~BlockPool() {
        for (Block& b : blocks_) {
            cudaEventDestroy(b.idle);
            cudaFree(b.memory);
        }
    }
    BlockPool(const BlockPool&) = delete;

    struct GiveBack {
        BlockPool* pool;
        Block* block;
        cudaStream_t stream;
        void operator()(float*) const { pool->put(block, stream); }
    };
    using Handle = std::unique_ptr<float[], GiveBack>;

    Handle take(const Lane& lane) {
        if (free_.empty()) {
            std::puts("ERROR PoolExhausted");
            std::exit(1);
        }
        Block* b = free_.front();
        free_.pop_front();
        ok(cudaStreamWaitEvent(lane.stream, b->idle, 0));
        return Handle(b->memory, GiveBack{this, b, lane.stream});
    }
    size_t floats() const { return floats_; }

private:
    void put(Block* b, cudaStream_t s) {
        ok(cudaEventRecord(b->idle, s));
        free_.push_back(b);
    }

    size_t floats_;
    std::vector<Block> blocks_;
    std::deque<Block*> free_;
};

}  // namespace seis
