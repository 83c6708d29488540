#include "rate_control.h"

namespace ve {

RateControl::RateControl() : thread_([this] { work(); }) {}

RateControl::~RateControl() {
    {
        std::lock_guard<std::mutex> guard(mutex_);
        closed_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void RateControl::push(const Frame* frame) {
    {
        std::lock_guard<std::mutex> guard(mutex_);
        todo_.push_back(frame);
    }
    changed_.notify_all();
}

int RateControl::decision(int number) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return decided_.count(number) != 0; });
    return decided_[number];
}

void RateControl::work() {
    for (;;) {
        const Frame* frame = nullptr;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            changed_.wait(lock, [this] { return closed_ || !todo_.empty(); });
            if (todo_.empty()) return;
            frame = todo_.front();
            todo_.pop_front();
        }
        VE_CHECK(cudaEventSynchronize(frame->ready));
        const int q = choose(*frame->activity);
        {
            std::lock_guard<std::mutex> guard(mutex_);
            decided_[frame->number] = q;
        }
        changed_.notify_all();
    }
}

}  // namespace ve
