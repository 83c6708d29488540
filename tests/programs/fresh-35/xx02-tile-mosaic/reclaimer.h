// Background thread that hands staging blocks back to the decoder.
#pragma once

#include "gpu_util.h"
#include "staging_pool.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace mosaic {

struct Ticket {
    int tile = -1;
    StagingPool::BlockId block = -1;
    UniqueEvent uploaded;
};

class Reclaimer {
public:
    Reclaimer(StagingPool& pool, EventPool& events);
    ~Reclaimer();

    void push(Ticket ticket);

    // Ends the thread after the last ticket and passes on what went wrong in it.
    void finish();

    int reclaimed() const { return reclaimed_; }

private:
    void run();
    bool pop(Ticket& ticket);
    void stop();

    StagingPool& pool_;
    EventPool& events_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Ticket> tickets_;
    bool stopping_ = false;
    int reclaimed_ = 0;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace mosaic
