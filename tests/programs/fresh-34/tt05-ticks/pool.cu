#include "pool.h"

#include <cstdio>
#include <cstdlib>

namespace ticks {

void fatal_if(cudaError_t e)
{
    if (e == cudaSuccess)
        return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(0);
}

// ---- host ------------------------------------------------------------------

HostPool::HostPool(int blocks) : blocks_(new HostBlock[blocks])
{
    fatal_if(cudaHostAlloc(&slab_, blocks * kBlockBytes, cudaHostAllocDefault));
    for (int i = 0; i < blocks; ++i) {
        blocks_[i].ticks = slab_ + i * kTicksPerBlock;
        free_.push_back(&blocks_[i]);
    }
}

HostPool::~HostPool()
{
    cudaFreeHost(slab_);
    delete[] blocks_;
}

HostBlock *HostPool::take()
{
    return free_.pop_front();
}

// ---- device ----------------------------------------------------------------

DevicePool::DevicePool(int blocks) : count_(blocks), blocks_(new DeviceBlock[blocks])
{
    fatal_if(cudaMalloc(&slab_, blocks * kBlockBytes));
    for (int i = 0; i < blocks; ++i) {
        blocks_[i].ticks = slab_ + i * kTicksPerBlock;
        fatal_if(cudaEventCreateWithFlags(&blocks_[i].idle, cudaEventDisableTiming));
        free_.push_back(&blocks_[i]);
    }
}

DevicePool::~DevicePool()
{
    for (int i = 0; i < count_; ++i)
        cudaEventDestroy(blocks_[i].idle);
    cudaFree(slab_);
    delete[] blocks_;
}

DeviceBlock *DevicePool::take()
{
    if (DeviceBlock *b = free_.pop_front())
        return b;
    DeviceBlock *b = busy_.pop_front();
    if (b)
        fatal_if(cudaEventSynchronize(b->idle));
    return b;
}

void DevicePool::give(DeviceBlock *b, cudaStream_t last_user)
{
    fatal_if(cudaEventRecord(b->idle, last_user));
    busy_.push_back(b);
}

} // namespace ticks
