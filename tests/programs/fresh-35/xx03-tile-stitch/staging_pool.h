// A fixed number of page-locked blocks into which tiles are decoded.
#pragma once

#include "gpu_util.h"
#include "tile.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

namespace mosaic {

class StagingPool {
public:
    using BlockId = int;

    explicit StagingPool(const SceneConfig& config) {
        for (int i = 0; i < config.stagingBlocks; ++i) {
            blocks_.push_back(makePinned<Pixel>(config.tilePixels()));
            free_.push_back(i);
        }
    }

    BlockId acquire() {
        std::unique_lock<std::mutex> lock(mutex_);
        available_.wait(lock, [this] { return closed_ || !free_.empty(); });
        if (closed_) throw std::runtime_error("staging pool closed");
        const BlockId id = free_.front();
        free_.pop_front();
        return id;
    }

    void release(BlockId id) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            free_.push_back(id);
        }
        available_.notify_one();
    }

    void close() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            closed_ = true;
        }
        available_.notify_all();
    }

    Pixel* pixels(BlockId id) { return blocks_[id].get(); }

private:
    std::vector<PinnedPtr<Pixel>> blocks_;
    std::deque<BlockId> free_;
    std::mutex mutex_;
    std::condition_variable available_;
    bool closed_ = false;
};

}  // namespace mosaic
