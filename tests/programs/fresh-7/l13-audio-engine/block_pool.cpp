#include "block_pool.h"

namespace audio {

void expect(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

void expect(CUresult r) {
    if (r == CUDA_SUCCESS) return;
    const char* name = "CUresult";
    cuGetErrorName(r, &name);
    std::printf("ERROR %s\n", name);
    std::fflush(stdout);
    std::_Exit(1);
}

BlockPool::BlockPool(int frames, int count) : blocks_(count), frames_(frames) { allocate(); }

BlockPool::~BlockPool() { deallocate(); }

void BlockPool::allocate() {
    free_.clear();
    for (Block& b : blocks_) {
        b.frames = frames_;
        expect(cudaMallocHost(&b.pcm, frames_ * sizeof(short)));
        expect(cudaMalloc(&b.device, frames_ * sizeof(short)));
        free_.push_back(&b);
    }
}

void BlockPool::deallocate() {
    for (Block& b : blocks_) {
        cudaFreeHost(b.pcm);
        cudaFree(b.device);
    }
}

Block* BlockPool::acquire() {
    std::unique_lock<std::mutex> lock(mutex_);
    available_.wait(lock, [this] { return !free_.empty(); });
    Block* b = free_.back();
    free_.pop_back();
    return b;
}

void BlockPool::release(Block* b) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        b->period = -1;
        free_.push_back(b);
    }
    available_.notify_one();
}

void BlockPool::resize(int frames, cudaStream_t stream) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (frames == frames_) return;
    expect(cudaStreamSynchronize(stream));
    deallocate();
    frames_ = frames;
    allocate();
}

}  // namespace audio
