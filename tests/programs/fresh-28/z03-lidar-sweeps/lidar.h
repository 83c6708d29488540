#pragma once
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <vector>
#include <cuda_runtime.h>

namespace lidar {

inline void check(cudaError_t status)
{
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

struct Config {
    int pointsPerSweep = 1 << 16;
    int hostSlots = 4;    // sweeps the sensor may be ahead of the uploader
    int deviceBanks = 3;  // sweeps resident on the GPU
    int sweeps = 24;
};

struct Point {
    float x, y, z;
    std::uint32_t intensity;
};

struct Sweep {
    int seq;
    int slot;
};

template <class T>
class BlockingQueue {
public:
    void push(T value)
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            items_.push_back(std::move(value));
        }
        ready_.notify_one();
    }
    T pop()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        ready_.wait(lock, [this] { return !items_.empty(); });
        T value = std::move(items_.front());
        items_.pop_front();
        return value;
    }

private:
    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<T> items_;
};

Point makePoint(int seq, int index);

}  // namespace lidar
