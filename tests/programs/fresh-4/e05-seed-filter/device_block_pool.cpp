#include "device_block_pool.h"
#include "cuda_util.h"

namespace seq {

DeviceBlock::DeviceBlock(std::size_t n) : bytes(n)
{
    ok(cudaMalloc(reinterpret_cast<void**>(&data), n));
}

DeviceBlock::~DeviceBlock()
{
    cudaFree(data);
}

DeviceBlockPool::DeviceBlockPool(std::size_t block_bytes, std::size_t preallocate)
    : block_bytes_(block_bytes)
{
    for (std::size_t i = 0; i < preallocate; ++i) {
        storage_.push_back(std::make_unique<DeviceBlock>(block_bytes_));
        free_.push_back(storage_.back().get());
    }
}

BlockRef DeviceBlockPool::acquire()
{
    std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) {
        storage_.push_back(std::make_unique<DeviceBlock>(block_bytes_));
        free_.push_back(storage_.back().get());
    }
    DeviceBlock* block = free_.back();
    free_.pop_back();
    return BlockRef(block, [this](DeviceBlock* b) { recycle(b); });
}

void DeviceBlockPool::recycle(DeviceBlock* block)
{
    std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(block);
}

}  // namespace seq
