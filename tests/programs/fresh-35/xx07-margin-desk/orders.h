// Orders, verdicts and the mailboxes through which they travel.
#pragma once

#include "gpu.h"

#include <atomic>
#include <cstdint>

namespace risk {

constexpr int kDesks = 4;
constexpr int kAccounts = 64;
constexpr int kScenarios = 32;

struct Order {
    int account;
    int quantity;
    int price;
};

struct Verdict {
    int accepted;
    int worstLoss;
};

// Loss of an order in one of the stress scenarios.
#ifdef __CUDACC__
__host__ __device__
#endif
inline int scenarioLoss(const Order& order, int scenario) {
    const int shock = (scenario * 37 + order.account * 11) % 29 - 9;
    return order.quantity * order.price / 100 * shock / 16;
}

struct Mailbox {
    volatile unsigned posted;    // number of orders that the host has written
    volatile unsigned answered;  // number of verdicts that the desk has written
    volatile int account;
    volatile int quantity;
    volatile int price;
    volatile int accepted;
    volatile int worstLoss;
    int padding[9];
};

// What a desk kernel needs to know of the mailboxes.
struct ChannelView {
    Mailbox* boxes;
    volatile unsigned* closed;
};

class Channel {
public:
    Channel() : boxes_(kDesks), closed_(1) {}

    void open() { closed_[0] = 0; }

    void close() {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        *static_cast<volatile unsigned*>(closed_.host()) = 1;
    }

    void post(int desk, const Order& order) {
        Mailbox& box = boxes_[desk];
        box.account = order.account;
        box.quantity = order.quantity;
        box.price = order.price;
        std::atomic_thread_fence(std::memory_order_seq_cst);
        box.posted = box.posted + 1;
    }

    Verdict await(int desk) {
        Mailbox& box = boxes_[desk];
        while (box.answered != box.posted) {
        }
        std::atomic_thread_fence(std::memory_order_seq_cst);
        return Verdict{box.accepted, box.worstLoss};
    }

    ChannelView view() const { return ChannelView{boxes_.device(), closed_.device()}; }

private:
    gpu::Shared<Mailbox> boxes_;
    gpu::Shared<unsigned> closed_;
};

}  // namespace risk
