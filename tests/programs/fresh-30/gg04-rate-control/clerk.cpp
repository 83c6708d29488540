#include "clerk.h"

namespace xcode {

SegmentPlan RateModel::next(const SegmentStats& s) {
    SegmentPlan p{};
    uint64_t total = 0;
    for (int b = 0; b < kBands; ++b) {
        total += s.energy[b];
        p.step[b] = 1u + static_cast<uint32_t>((s.energy[b] + debt_ / (b + 1)) % 29u);
    }
    debt_ = (debt_ * 7 + total) / 8;
    return p;
}

Clerk::Clerk(const SegmentStats* stats, SegmentPlan* plans, uint32_t* dial, int segments)
    : stats_(stats), plans_(plans), dial_(dial), segments_(segments), thread_([this] { work(); }) {}

Clerk::~Clerk() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        leaving_ = true;
    }
    bell_.notify_all();
    thread_.join();
}

void Clerk::announce(int segment) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        inbox_.push_back(segment);
    }
    bell_.notify_one();
}

void Clerk::work() {
    RateModel model;
    for (int done = 0; done < segments_; ++done) {
        int segment;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            bell_.wait(lock, [this] { return leaving_ || !inbox_.empty(); });
            if (inbox_.empty()) return;
            segment = inbox_.front();
            inbox_.pop_front();
        }
        plans_[segment] = model.next(stats_[segment]);
        __atomic_store_n(dial_, static_cast<uint32_t>(segment) + 1u, __ATOMIC_SEQ_CST);
    }
}

}  // namespace xcode
