#pragma once
#include <cstdint>

namespace gw {

enum class Op : uint32_t { Check = 1, SwitchTable = 2, Stop = 3 };

constexpr int kBatch = 128;

struct Order {
    int account;
    float notional;
};

// Shared with the device through mapped host memory. One producer, one consumer.
struct alignas(64) Mailbox {
    volatile uint32_t seq;
    volatile uint32_t op;
    volatile uint64_t arg;
    volatile uint32_t ack;
    volatile Order orders[kBatch];
    volatile int verdicts[kBatch];
};

}  // namespace gw
