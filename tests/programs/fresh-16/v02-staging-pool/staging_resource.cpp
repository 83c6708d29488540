#include "staging_resource.h"

#include <cstdio>
#include <cstdlib>

namespace telem {

void fail(cudaError_t e)
{
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

staging_resource::staging_resource(std::size_t block_bytes, int blocks)
    : block_bytes_(block_bytes)
{
    all_.reserve(blocks);
    for (int i = 0; i < blocks; ++i) {
        void* p = nullptr;
        check(cudaHostAlloc(&p, block_bytes_, cudaHostAllocDefault));
        all_.push_back(p);
    }
    free_ = all_;
}

staging_resource::~staging_resource()
{
    for (void* p : all_) cudaFreeHost(p);
}

void* staging_resource::allocate()
{
    std::unique_lock<std::mutex> lock(mutex_);
    while (free_.empty()) reclaim_oldest(lock);
    void* p = free_.back();
    free_.pop_back();
    return p;
}

void staging_resource::reclaim_oldest(std::unique_lock<std::mutex>& lock)
{
    if (pending_.empty()) fail(cudaErrorMemoryAllocation);
    cudaStream_t oldest = pending_.front();
    pending_.pop_front();
    ++reclaims_;
    lock.unlock();
    check(cudaStreamSynchronize(oldest));
    lock.lock();
}

void staging_resource::deallocate_async(void* block, cudaStream_t stream)
{
    {
        std::lock_guard<std::mutex> lock(mutex_);
        pending_.push_back(stream);
    }
    auto t = std::make_unique<ticket>(ticket{this, block});
    check(cudaLaunchHostFunc(stream, &staging_resource::on_stream_reached, t.get()));
    t.release();
}

void CUDART_CB staging_resource::on_stream_reached(void* user)
{
    std::unique_ptr<ticket> t(static_cast<ticket*>(user));
    t->owner->give_back(t->block);
}

void staging_resource::give_back(void* block)
{
    std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(block);
}

}  // namespace telem
