#include "arena.h"

#include <utility>

namespace ocr {

ArenaKeeper::ArenaKeeper() : thread_([this] { serve(); }) {}

ArenaKeeper::~ArenaKeeper() {
    {
        std::lock_guard<std::mutex> g(m_);
        leaving_ = true;
    }
    cv_.notify_all();
    thread_.join();
    for (const Grant& g : grants_) cudaFree(g.ptr);
}

std::future<Grant> ArenaKeeper::reserve(std::size_t bytes) {
    Order order{bytes, {}};
    auto reply = order.reply.get_future();
    {
        std::lock_guard<std::mutex> g(m_);
        orders_.push_back(std::move(order));
    }
    cv_.notify_one();
    return reply;
}

std::size_t ArenaKeeper::booked() const {
    std::lock_guard<std::mutex> g(m_);
    std::size_t sum = 0;
    for (const Grant& g2 : grants_) sum += g2.bytes;
    return sum;
}

Grant ArenaKeeper::book(std::size_t bytes) {
    Grant grant;
    grant.bytes = (bytes + 511) / 512 * 512;
    grant.status = cudaMalloc(&grant.ptr, grant.bytes);
    if (grant.status == cudaSuccess) {
        std::lock_guard<std::mutex> g(m_);
        grants_.push_back(grant);
    }
    return grant;
}

void ArenaKeeper::serve() {
    cudaSetDevice(0);
    for (;;) {
        std::unique_lock<std::mutex> g(m_);
        cv_.wait(g, [this] { return leaving_ || !orders_.empty(); });
        if (orders_.empty()) return;
        Order order = std::move(orders_.front());
        orders_.pop_front();
        g.unlock();
        order.reply.set_value(book(order.bytes));
    }
}

}  // namespace ocr
