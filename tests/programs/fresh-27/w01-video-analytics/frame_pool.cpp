#include "frame_pool.h"

namespace va {

FrameLease::FrameLease(FrameLease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)), pixels_(std::exchange(other.pixels_, nullptr)) {}

FrameLease& FrameLease::operator=(FrameLease&& other) noexcept {
    if (this != &other) {
        reset();
        pool_ = std::exchange(other.pool_, nullptr);
        pixels_ = std::exchange(other.pixels_, nullptr);
    }
    return *this;
}

FrameLease::~FrameLease() { reset(); }

void FrameLease::reset() {
    if (pool_) pool_->give_back(pixels_);
    pool_ = nullptr;
    pixels_ = nullptr;
}

FramePool::FramePool(std::size_t frames, std::size_t frame_bytes) : frame_bytes_(frame_bytes) {
    for (std::size_t i = 0; i < frames; ++i) {
        void* p = nullptr;
        check(cudaHostAlloc(&p, frame_bytes, cudaHostAllocDefault));
        owned_.push_back(static_cast<std::uint8_t*>(p));
    }
    idle_ = owned_;
}

FramePool::~FramePool() {
    for (auto* p : owned_) cudaFreeHost(p);
}

FrameLease FramePool::acquire() {
    std::unique_lock<std::mutex> lock(mutex_);
    available_.wait(lock, [this] { return !idle_.empty(); });
    std::uint8_t* p = idle_.back();
    idle_.pop_back();
    return FrameLease(this, p);
}

void FramePool::give_back(std::uint8_t* pixels) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        idle_.push_back(pixels);
    }
    available_.notify_one();
}

}  // namespace va
