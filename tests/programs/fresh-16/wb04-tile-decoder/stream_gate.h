#pragma once
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <mutex>

namespace tiles {

inline void require(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

// Holds a stream until a host future is ready.
inline void hold_until(cudaStream_t stream, std::shared_future<void> ready) {
    auto* boxed = new std::shared_future<void>(std::move(ready));
    require(cudaLaunchHostFunc(
        stream,
        [](void* p) {
            std::unique_ptr<std::shared_future<void>> f(static_cast<std::shared_future<void>*>(p));
            f->wait();
        },
        boxed));
}

// A pinned staging slot that the stream gives back to the host.
class Slot {
public:
    explicit Slot(size_t bytes) { require(cudaHostAlloc(&data_, bytes, cudaHostAllocDefault)); }
    ~Slot() { cudaFreeHost(data_); }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

    void take() {
        std::unique_lock<std::mutex> lock(mutex_);
        freed_.wait(lock, [this] { return !busy_; });
        busy_ = true;
    }
    void give_back_on(cudaStream_t stream) {
        require(cudaLaunchHostFunc(
            stream, [](void* p) { static_cast<Slot*>(p)->give_back(); }, this));
    }
    short* data() const { return static_cast<short*>(data_); }

private:
    void give_back() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            busy_ = false;
        }
        freed_.notify_one();
    }

    void* data_ = nullptr;
    std::mutex mutex_;
    std::condition_variable freed_;
    bool busy_ = false;
};

}  // namespace tiles
