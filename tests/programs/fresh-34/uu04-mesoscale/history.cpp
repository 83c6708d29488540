#include "wx/history.h"

namespace wx {

uint32_t checksum_field(const GridConfig& c, const int32_t* field) {
    uint32_t h = 2166136261u;
    for (int i = 0; i < c.cells(); ++i) h = (h ^ static_cast<uint32_t>(field[i])) * 16777619u;
    return h;
}

uint32_t checksum_decoded(const GridConfig& c, const int32_t* coded) {
    uint32_t h = 2166136261u;
    int32_t value = 0;
    for (int i = 0; i < c.cells(); ++i) {
        value = i % c.nx ? value + coded[i] : coded[i];
        h = (h ^ static_cast<uint32_t>(value)) * 16777619u;
    }
    return h;
}

History::History(const GridConfig& c, int frames) : c_(c), sums_(c.steps) {
    for (int i = 0; i < frames; ++i) {
        frames_.push_back(std::make_unique<Frame>(c));
        free_.push_back(frames_.back().get());
    }
    thread_ = std::thread([this] { writer(); });
}

History::~History() {
    {
        std::lock_guard<std::mutex> lock(m_);
        closing_ = true;
    }
    cv_.notify_all();
    thread_.join();
}

Frame& History::acquire() {
    std::unique_lock<std::mutex> lock(m_);
    cv_.wait(lock, [this] { return !free_.empty(); });
    Frame* f = free_.front();
    free_.pop_front();
    return *f;
}

void History::submit(Frame& f, int step) {
    f.step = step;
    f.taken.hold(io_);
    encode(c_, f.field.get(), f.coded.get(), io_);
    WX_CALL(cudaMemcpyAsync(f.host.data(), f.coded.get(), f.coded.bytes(), cudaMemcpyDeviceToHost, io_.get()));
    f.landed.record(io_);
    {
        std::lock_guard<std::mutex> lock(m_);
        full_.push_back(&f);
    }
    cv_.notify_all();
}

void History::drain() {
    std::unique_lock<std::mutex> lock(m_);
    cv_.wait(lock, [this] { return free_.size() == frames_.size(); });
}

void History::consume(const Frame& f) {
    sums_[f.step] = checksum_decoded(c_, f.host.data());
}

void History::writer() {
    for (;;) {
        Frame* f = nullptr;
        {
            std::unique_lock<std::mutex> lock(m_);
            cv_.wait(lock, [this] { return closing_ || !full_.empty(); });
            if (full_.empty()) return;
            f = full_.front();
            full_.pop_front();
        }
        f->landed.wait();
        consume(*f);
        {
            std::lock_guard<std::mutex> lock(m_);
            free_.push_back(f);
        }
        cv_.notify_all();
    }
}

}  // namespace wx
