#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace audio {

void expect(cudaError_t e);
void expect(CUresult r);

struct Block {
    short* pcm = nullptr;      // page-locked
    short* device = nullptr;
    int frames = 0;
    int period = -1;
};

class BlockPool {
public:
    BlockPool(int frames, int count);
    ~BlockPool();

    Block* acquire();
    void release(Block* b);
    void resize(int frames, cudaStream_t stream);
    int frames() const { return frames_; }

private:
    void allocate();
    void deallocate();

    std::mutex mutex_;
    std::condition_variable available_;
    std::vector<Block> blocks_;
    std::vector<Block*> free_;
    int frames_;
};

}  // namespace audio
