#pragma once
// Wire between the desk and the pricer that lives on the device.
#include "cuda_try.h"
#include <atomic>
#include <mutex>

namespace risk {

constexpr int kCurvePoints = 256;

struct Trade {
    int firstCoupon;
    int coupons;
    double amount;
};

struct Wire {
    volatile unsigned asked;
    volatile unsigned answered;
    volatile unsigned closing;
    Trade trade;
    double value;
};

class Mailbox {
public:
    Mailbox() {
        cudaTry(cudaHostAlloc(reinterpret_cast<void**>(&wire_), sizeof(Wire), cudaHostAllocMapped));
        wire_->asked = wire_->answered = wire_->closing = 0;
        cudaTry(cudaHostGetDevicePointer(reinterpret_cast<void**>(&onDevice_), wire_, 0));
    }
    ~Mailbox() { cudaFreeHost(wire_); }
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    Wire* onDevice() const { return onDevice_; }

    double ask(const Trade& trade) {
        std::lock_guard<std::mutex> lock(mutex_);
        wire_->trade = trade;
        std::atomic_thread_fence(std::memory_order_seq_cst);
        const unsigned ticket = wire_->asked + 1;
        wire_->asked = ticket;
        while (wire_->answered != ticket) {
        }
        std::atomic_thread_fence(std::memory_order_seq_cst);
        return wire_->value;
    }

    void close() {
        std::lock_guard<std::mutex> lock(mutex_);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        wire_->closing = 1;
    }

private:
    Wire* wire_ = nullptr;
    Wire* onDevice_ = nullptr;
    std::mutex mutex_;
};

}  // namespace risk
