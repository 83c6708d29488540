#include "writer.h"

#include <chrono>

TraceWriter::TraceWriter(int slots, int gathers) : slots_(slots), sums_(gathers, 0.0) {
    thread_ = std::thread(&TraceWriter::drain, this);
}

TraceWriter::~TraceWriter() { close(); }

void TraceWriter::awaitSlot(int gather) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return gather - written_ < slots_; });
}

void TraceWriter::publish(const GatherView& view) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        pending_.push_back(view);
    }
    changed_.notify_all();
}

void TraceWriter::close() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        closed_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void TraceWriter::drain() {
    for (;;) {
        GatherView view{};
        {
            std::unique_lock<std::mutex> lock(mutex_);
            changed_.wait(lock, [&] { return closed_ || !pending_.empty(); });
            if (pending_.empty()) return;
            view = pending_.front();
            pending_.pop_front();
        }
        double sum = 0.0;
        for (int i = 0; i < view.count; ++i) sum += view.samples[i];
        std::this_thread::sleep_for(std::chrono::milliseconds(12));
        {
            std::lock_guard<std::mutex> lock(mutex_);
            sums_[view.index] = sum;
            ++written_;
        }
        changed_.notify_all();
    }
}
