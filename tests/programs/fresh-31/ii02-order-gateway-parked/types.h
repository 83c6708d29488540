#pragma once

#include <cstddef>
#include <cstdint>

namespace gw {

struct Fill {
    std::int32_t qty;
    std::int32_t reference;
};

struct Order {
    std::uint32_t session;
    std::uint32_t seq;
    std::int32_t price;
    std::int32_t qty;
    Fill* journal;
};

constexpr std::uint32_t kRing = 128;

// Lives in mapped host memory: the exchange side writes head and slots,
// the matching side writes tail.
struct Mailbox {
    std::uint32_t head;
    std::uint32_t pad0[31];
    std::uint32_t tail;
    std::uint32_t pad1[31];
    std::uint32_t closing;
    std::uint32_t pad2[31];
    Order slots[kRing];
};

struct GatewayConfig {
    int sessions = 6;
    std::uint32_t orders_per_session = 200;
    std::size_t journal_entries = std::size_t{1} << 20;
    std::int32_t opening_price = 10000;
};

[[noreturn]] void fatal(const char* name);

}  // namespace gw
