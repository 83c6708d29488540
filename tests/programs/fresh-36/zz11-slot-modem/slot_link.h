#pragma once
// The air interface between the host scheduler and the resident PHY: two frames each way and two sequence numbers.
#include <atomic>
#include <cstdint>

constexpr std::uint32_t kSamples = 256;
constexpr std::uint32_t kSlotCount = 120;
constexpr std::uint32_t kShutdown = 0xffffffffu;

enum SlotKind : std::uint32_t { kDownlink, kUplink, kSpecial, kKinds };

struct alignas(128) Frame {
    std::uint32_t kind;
    std::uint32_t samples[kSamples];
};

struct Link {
    alignas(128) std::atomic<std::uint32_t> rxSeq;
    alignas(128) std::atomic<std::uint32_t> txSeq;
    Frame rx[2];
    Frame tx[2];
};
