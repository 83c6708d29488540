#pragma once
#include <cuda_runtime.h>
#include <array>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace fraud {

inline void guard(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

struct Transaction {
    int account;
    int cents;
    int hour;
    int merchant;
};

constexpr int kBatch = 4096;
constexpr int kSlots = 3;

// Pinned batches. take() blocks while all of them are on their way to the device.
class BatchRing {
public:
    BatchRing() {
        for (auto& b : batch_) {
            void* p = nullptr;
            guard(cudaHostAlloc(&p, kBatch * sizeof(Transaction), cudaHostAllocDefault));
            b = static_cast<Transaction*>(p);
        }
        busy_.fill(false);
    }
    BatchRing(const BatchRing&) = delete;
    ~BatchRing() {
        for (auto* b : batch_) cudaFreeHost(b);
    }
    int take() {
        std::unique_lock<std::mutex> l(m_);
        int slot = -1;
        cv_.wait(l, [&] {
            for (int i = 0; i < kSlots; ++i)
                if (!busy_[i]) slot = i;
            return slot >= 0;
        });
        busy_[slot] = true;
        return slot;
    }
    void put(int slot) {
        {
            std::lock_guard<std::mutex> l(m_);
            busy_[slot] = false;
        }
        cv_.notify_one();
    }
    Transaction* at(int slot) { return batch_[slot]; }

private:
    std::mutex m_;
    std::condition_variable cv_;
    std::array<Transaction*, kSlots> batch_{};
    std::array<bool, kSlots> busy_{};
};

}  // namespace fraud
