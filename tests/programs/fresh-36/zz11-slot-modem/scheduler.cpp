// Slot scheduler of a small cell: fills one frame while the PHY works on the other and counts missed deadlines.
#include <chrono>
#include <cstdio>
#include <thread>

#include "modem.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kDeadline = std::chrono::milliseconds(2);

using Encoder = std::uint32_t (*)(std::uint32_t slot, std::uint32_t i);
std::uint32_t pilot(std::uint32_t slot, std::uint32_t i) { return slot * 0x9e3779b9u + i; }
std::uint32_t payload(std::uint32_t slot, std::uint32_t i) { return (slot << 16) ^ (i * 2654435761u); }
std::uint32_t guard(std::uint32_t slot, std::uint32_t i) { return (slot + i) << 4; }
constexpr Encoder kEncoders[kKinds] = {pilot, payload, guard};

using Channel = std::uint32_t (*)(std::uint32_t);
constexpr Channel kChannels[kKinds] = {
    [](std::uint32_t x) { return x * 5u + 1u; },
    [](std::uint32_t x) { return x ^ 0x5a5a5a5au; },
    [](std::uint32_t x) { return x >> 3; },
};

class Scheduler {
public:
    explicit Scheduler(Modem& m) : modem_(m), link_(m.link()) {}

    void run() {
        modem_.power();
        for (std::uint32_t slot = 1; slot <= kSlotCount; ++slot) {
            encode(slot);
            if (slot > 2) modem_.demapped(slot - 2);
            link_.rxSeq.store(slot, std::memory_order_release);
            if (slot > 1) collect(slot - 1);
        }
        collect(kSlotCount);
        modem_.shutdown();
    }

    unsigned late() const { return late_.load(std::memory_order_relaxed); }

private:
    void encode(std::uint32_t slot) {
        Frame& f = link_.rx[slot & 1];
        f.kind = slot % kKinds;
        for (std::uint32_t i = 0; i < kSamples; ++i) f.samples[i] = kEncoders[f.kind](slot, i);
    }

    void collect(std::uint32_t slot) {
        const auto limit = Clock::now() + kDeadline;
        bool counted = false;
        while (link_.txSeq.load(std::memory_order_acquire) < slot) {
            if (!counted && Clock::now() > limit) {
                late_.fetch_add(1, std::memory_order_relaxed);
                counted = true;
            }
            std::this_thread::yield();
        }
        modem_.demap(slot);
    }

    Modem& modem_;
    Link& link_;
    std::atomic<unsigned> late_{0};
};

std::uint32_t expected(std::uint32_t slot) {
    std::uint32_t sum = 0;
    const std::uint32_t kind = slot % kKinds;
    for (std::uint32_t i = 0; i < kSamples; ++i) sum += kChannels[kind](kEncoders[kind](slot, i)) * (i + 1);
    return sum;
}

}  // namespace

int main() {
    Modem modem;
    int wrong = !modem.selfTest();
    Scheduler scheduler(modem);
    scheduler.run();
    for (std::uint32_t slot = 1; slot <= kSlotCount; ++slot) wrong += modem.checksum(slot) != expected(slot);
    std::fprintf(stderr, "late slots: %u\n", scheduler.late());
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
