#include "reclaimer.h"

#include <utility>

namespace mosaic {

Reclaimer::Reclaimer(StagingPool& pool, EventPool& events) : pool_(pool), events_(events) {
    thread_ = std::thread([this] {
        try {
            run();
        } catch (...) {
            failure_ = std::current_exception();
            pool_.close();
        }
    });
}

Reclaimer::~Reclaimer() { stop(); }

void Reclaimer::push(Ticket ticket) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        tickets_.push_back(std::move(ticket));
    }
    changed_.notify_one();
}

bool Reclaimer::pop(Ticket& ticket) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return stopping_ || !tickets_.empty(); });
    if (tickets_.empty()) return false;
    ticket = std::move(tickets_.front());
    tickets_.pop_front();
    return true;
}

void Reclaimer::run() {
    Ticket ticket;
    while (pop(ticket)) {
        pool_.release(ticket.block);
        MOSAIC_CUDA(cudaEventSynchronize(ticket.uploaded.get()));
        events_.give(std::move(ticket.uploaded));
        ++reclaimed_;
    }
}

void Reclaimer::stop() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Reclaimer::finish() {
    stop();
    if (failure_) std::rethrow_exception(failure_);
}

}  // namespace mosaic
