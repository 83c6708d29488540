#include "block_pool.h"

#include "cuda_error.h"

BlockPool::BlockPool(int blocks, std::size_t samples) : samples_(samples)
{
    for (int i = 0; i < blocks; ++i) {
        void* p = nullptr;
        orThrow(cudaMallocHost(&p, samples * sizeof(std::int32_t)));
        all_.push_back(static_cast<std::int32_t*>(p));
    }
    idle_ = all_;
}

BlockPool::~BlockPool()
{
    for (std::int32_t* p : all_) cudaFreeHost(p);
}

std::shared_ptr<std::int32_t> BlockPool::borrow()
{
    std::unique_lock<std::mutex> lock(mutex_);
    returned_.wait(lock, [this] { return !idle_.empty(); });
    std::int32_t* p = idle_.back();
    idle_.pop_back();
    return std::shared_ptr<std::int32_t>(p, [this](std::int32_t* q) { giveBack(q); });
}

void BlockPool::giveBack(std::int32_t* p)
{
    {
        std::lock_guard<std::mutex> lock(mutex_);
        idle_.push_back(p);
    }
    returned_.notify_one();
}
