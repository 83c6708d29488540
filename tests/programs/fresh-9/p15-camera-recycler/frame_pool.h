#pragma once
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace cam {

struct Failure : std::runtime_error {
    explicit Failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};
inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw Failure(e);
}

struct Stats {
    std::uint32_t sum;
    std::uint32_t peak;
};

struct Frame {
    std::uint32_t* pixels = nullptr;   // page-locked
    Stats* stats = nullptr;            // page-locked
    int number = -1;
};

// A few page-locked frames that go round between the camera and the device.
class FramePool {
  public:
    FramePool(std::size_t pixels, int frames) : storage_(frames) {
        for (Frame& f : storage_) {
            check(cudaMallocHost(&f.pixels, pixels * sizeof(std::uint32_t)));
            check(cudaMallocHost(&f.stats, sizeof(Stats)));
            free_.push_back(&f);
        }
    }
    ~FramePool() {
        for (Frame& f : storage_) {
            cudaFreeHost(f.stats);
            cudaFreeHost(f.pixels);
        }
    }
    FramePool(const FramePool&) = delete;

    std::shared_ptr<Frame> grab() {
        std::unique_lock<std::mutex> lock(m_);
        returned_.wait(lock, [this] { return !free_.empty(); });
        Frame* f = free_.back();
        free_.pop_back();
        return std::shared_ptr<Frame>(f, [this](Frame* p) { put(p); });
    }

  private:
    void put(Frame* f) {
        {
            std::lock_guard<std::mutex> lock(m_);
            free_.push_back(f);
        }
        returned_.notify_one();
    }

    std::vector<Frame> storage_;
    std::vector<Frame*> free_;
    std::mutex m_;
    std::condition_variable returned_;
};

// Runs any callable on the host in stream order.
inline void enqueue(cudaStream_t stream, std::function<void()> fn) {
    auto boxed = std::make_unique<std::function<void()>>(std::move(fn));
    check(cudaLaunchHostFunc(
        stream,
        [](void* p) {
            std::unique_ptr<std::function<void()>> f(static_cast<std::function<void()>*>(p));
            (*f)();
        },
        boxed.get()));
    boxed.release();
}

}  // namespace cam
