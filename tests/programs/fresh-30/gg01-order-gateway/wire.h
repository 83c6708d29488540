#pragma once
#include <cstdint>

namespace venue {

constexpr uint32_t kSymbols = 64;
constexpr uint32_t kBatch = 128;
constexpr uint32_t kRing = 32;

struct Order {
    uint32_t symbol;
    int32_t qty;
    uint32_t price;
    uint32_t account;
};

struct Batch {
    uint32_t count;
    uint32_t sequence;
    uint32_t reserved[2];
    Order orders[kBatch];
};

// Page-locked, visible to both sides.  The gateway owns head and closed, the
// device owns tail.
struct Mailbox {
    alignas(64) uint32_t head;
    alignas(64) uint32_t tail;
    alignas(64) uint32_t closed;
    alignas(64) Batch ring[kRing];
};

// Device memory.
struct Book {
    long long exposure[kSymbols];
    unsigned long long volume;
    unsigned long long trades;
};

struct RiskReport {
    long long net;
    long long worst;
    unsigned long long trades;
    unsigned long long stamp;
};

}  // namespace venue
