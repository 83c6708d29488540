#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

namespace ocr {

struct Grant {
    void* ptr = nullptr;
    std::size_t bytes = 0;
    cudaError_t status = cudaSuccess;
};

// All device memory of the service is booked by one thread, which also keeps
// the figures for the capacity report.
class ArenaKeeper {
public:
    ArenaKeeper();
    ~ArenaKeeper();
    ArenaKeeper(const ArenaKeeper&) = delete;
    ArenaKeeper& operator=(const ArenaKeeper&) = delete;

    std::future<Grant> reserve(std::size_t bytes);
    std::size_t booked() const;

private:
    struct Order {
        std::size_t bytes;
        std::promise<Grant> reply;
    };
    void serve();
    Grant book(std::size_t bytes);

    mutable std::mutex m_;
    std::condition_variable cv_;
    std::deque<Order> orders_;
    std::vector<Grant> grants_;
    bool leaving_ = false;
    std::thread thread_;
};

}  // namespace ocr
