#pragma once

#include <cuda.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

#define DRV(call)                                        \
    do {                                                 \
        CUresult r_ = (call);                            \
        if (r_ != CUDA_SUCCESS) {                        \
            const char* n_ = "unknown";                  \
            cuGetErrorName(r_, &n_);                     \
            std::printf("ERROR %s\n", n_);               \
            std::fflush(stdout);                         \
            std::_Exit(1);                               \
        }                                                \
    } while (0)

struct Order {
    int level;
    int delta;
};

constexpr int kLevels = 1024;
constexpr int kOrders = 8192;
constexpr int kBlocksOfOrders = 16;

void apply_orders(const Order* orders, int n, int* book, CUstream stream);

// One thread that owns submission to the device.
class Dispatcher {
public:
    explicit Dispatcher(CUcontext ctx) : worker_([this, ctx] { loop(ctx); }) {}
    ~Dispatcher() { stop(); }

    void post(std::function<void()> job)
    {
        {
            std::lock_guard<std::mutex> lk(m_);
            jobs_.push(std::move(job));
        }
        cv_.notify_one();
    }

    void stop()
    {
        {
            std::lock_guard<std::mutex> lk(m_);
            done_ = true;
        }
        cv_.notify_one();
        if (worker_.joinable())
            worker_.join();
    }

private:
    void loop(CUcontext ctx)
    {
        DRV(cuCtxSetCurrent(ctx));
        for (;;) {
            std::unique_lock<std::mutex> lk(m_);
            cv_.wait(lk, [this] { return done_ || !jobs_.empty(); });
            if (jobs_.empty())
                return;
            auto job = std::move(jobs_.front());
            jobs_.pop();
            lk.unlock();
            job();
        }
    }

    std::mutex m_;
    std::condition_variable cv_;
    std::queue<std::function<void()>> jobs_;
    bool done_ = false;
    std::thread worker_;
};

// Pinned buffer that travels: filled by the feed, posted, then on its way to the device.
struct PinnedBlock {
    enum State { kIdle, kPosted, kCopying };
    Order* data = nullptr;
    CUevent left = nullptr;
    std::atomic<int> state{kIdle};

    bool try_take()
    {
        const int s = state.load(std::memory_order_acquire);
        if (s == kPosted)
            return false;
        if (s == kCopying) {
            const CUresult r = cuEventQuery(left);
            if (r == CUDA_ERROR_NOT_READY)
                return false;
            DRV(r);
        }
        state.store(kPosted, std::memory_order_relaxed);
        return true;
    }
};
