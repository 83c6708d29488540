#pragma once
#include <cstdint>

enum class Op : uint32_t { None = 0, Score = 1, Quit = 2 };

// One command slot per lane, in mapped host memory.
struct alignas(64) Mailbox {
    volatile uint32_t seq;
    volatile uint32_t ack;
    volatile uint32_t op;
    volatile uint32_t count;
    const float* volatile in;
    float* volatile out;
};
