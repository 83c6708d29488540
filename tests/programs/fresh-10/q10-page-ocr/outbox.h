#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include "page.h"

namespace ocr {

class Outbox {
public:
    void post(std::shared_ptr<Page> page) {
        std::lock_guard<std::mutex> lock(mutex_);
        pages_.push_back(std::move(page));
        arrived_.notify_one();
    }

    std::shared_ptr<Page> take() {
        std::unique_lock<std::mutex> lock(mutex_);
        arrived_.wait(lock, [this] { return !pages_.empty(); });
        auto page = std::move(pages_.front());
        pages_.pop_front();
        return page;
    }

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<std::shared_ptr<Page>> pages_;
};

}  // namespace ocr
