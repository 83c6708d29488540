#pragma once
#include <atomic>
#include <chrono>
#include <thread>

#include "executor.h"

namespace bench {

// Samples the memory of the device in the background, for the report.
class MemorySampler {
public:
    MemorySampler() : thread_([this] { sample(); }) {}
    ~MemorySampler()
    {
        quit_ = true;
        thread_.join();
    }
    std::size_t lowest_free() const { return lowest_; }

private:
    void sample()
    {
        check(cudaSetDevice(0));
        while (!quit_) {
            std::size_t free = 0, total = 0;
            check(cudaMemGetInfo(&free, &total));
            if (free < lowest_) lowest_ = free;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }

    std::atomic<bool> quit_{false};
    std::atomic<std::size_t> lowest_{~std::size_t(0)};
    std::thread thread_;
};

} // namespace bench
