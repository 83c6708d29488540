#include "slab.h"

#include <cstring>

namespace ferry {

Slab::Slab(std::size_t bytes) : bytes_(bytes) {
    FERRY_CHECK(cudaHostAlloc(reinterpret_cast<void**>(&host_), bytes, cudaHostAllocDefault));
    FERRY_CHECK(cudaMalloc(reinterpret_cast<void**>(&mirror_), bytes));
    FERRY_CHECK(cudaEventCreateWithFlags(&drained_, cudaEventDisableTiming | cudaEventBlockingSync));
}

Slab::~Slab() {
    if (sealed_) cudaEventSynchronize(drained_);
    cudaEventDestroy(drained_);
    cudaFree(mirror_);
    cudaFreeHost(host_);
}

std::size_t Slab::append(const void* src, std::size_t bytes) {
    const std::size_t at = used_;
    std::memcpy(host_ + at, src, bytes);
    used_ += (bytes + 255) / 256 * 256;
    if (used_ > bytes_) used_ = bytes_;
    return at;
}

void Slab::seal(cudaStream_t stream) {
    FERRY_CHECK(cudaEventRecord(drained_, stream));
    sealed_ = true;
}

void Slab::reopen() {
    if (sealed_) FERRY_CHECK(cudaEventSynchronize(drained_));
    sealed_ = false;
    used_ = 0;
}

SlabPool::SlabPool(int count, std::size_t bytes) {
    for (int i = 0; i < count; ++i) {
        all_.push_back(std::make_unique<Slab>(bytes));
        idle_.push_back(all_.back().get());
    }
}

SlabPool::Handle SlabPool::take() {
    Slab* slab = nullptr;
    {
        std::unique_lock<std::mutex> lock(mutex_);
        returned_.wait(lock, [this] { return !idle_.empty(); });
        slab = idle_.front();
        idle_.pop_front();
    }
    Handle handle(slab, Returner{this});
    handle->reopen();
    return handle;
}

void SlabPool::give(Slab* slab) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        idle_.push_back(slab);
    }
    returned_.notify_one();
}

}  // namespace ferry
