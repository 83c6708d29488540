#include "allocator.h"

#include <algorithm>

namespace rt {

namespace {
constexpr std::size_t kGranule = 512;
std::size_t roundUp(std::size_t bytes) { return (bytes + kGranule - 1) / kGranule * kGranule; }
}  // namespace

Block* CachingAllocator::allocate(std::size_t bytes, cudaStream_t stream) {
    reclaim();
    const std::size_t size = roundUp(bytes);
    auto& list = free_[{stream, size}];
    if (!list.empty()) {
        Block* block = list.back();
        list.pop_back();
        return block;
    }
    auto block = std::make_unique<Block>();
    RT_CHECK(cudaMalloc(&block->ptr, size));
    block->size = size;
    block->home = stream;
    all_.push_back(std::move(block));
    return all_.back().get();
}

void CachingAllocator::addUser(Block* block, cudaStream_t stream) {
    if (stream == block->home) return;
    auto& users = block->users;
    if (std::find(users.begin(), users.end(), stream) == users.end()) users.push_back(stream);
}

void CachingAllocator::release(Block* block) {
    if (block->users.empty()) {
        free_[{block->home, block->size}].push_back(block);
        return;
    }
    Deferred entry{block, {}};
    for (cudaStream_t user : block->users) {
        cudaEvent_t event;
        RT_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        RT_CHECK(cudaEventRecord(event, user));
        entry.events.push_back(event);
    }
    block->users.clear();
    deferred_.push_back(std::move(entry));
}

void CachingAllocator::reclaim() {
    while (!deferred_.empty()) {
        Deferred& entry = deferred_.front();
        for (cudaEvent_t event : entry.events) {
            cudaError_t status = cudaEventQuery(event);
            if (status == cudaErrorNotReady) return;
            RT_CHECK(status);
        }
        for (cudaEvent_t event : entry.events) RT_CHECK(cudaEventDestroy(event));
        free_[{entry.block->home, entry.block->size}].push_back(entry.block);
        deferred_.pop_front();
    }
}

CachingAllocator::~CachingAllocator() {
    cudaDeviceSynchronize();
    for (auto& entry : deferred_)
        for (cudaEvent_t event : entry.events) cudaEventDestroy(event);
    for (auto& block : all_) cudaFree(block->ptr);
}

}  // namespace rt
