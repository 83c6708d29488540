#include "dispatcher.h"

#include <cmath>
#include <cstdio>

int main() {
    constexpr int kPackets = 8;
    constexpr std::size_t kSamples = 1 << 14;

    telemetry::Dispatcher dispatcher(2, kSamples);
    std::vector<std::unique_ptr<telemetry::Packet>> burst;
    for (int id = 0; id < kPackets; ++id) {
        auto packet = dispatcher.makePacket(id);
        for (std::size_t i = 0; i < kSamples; ++i) packet->samples[i] = float((i + id) % 5);
        burst.push_back(std::move(packet));
    }
    for (auto& packet : burst) dispatcher.submit(std::move(packet));

    int wrong = 0;
    const auto summaries = dispatcher.drain();
    if (summaries.size() != kPackets) ++wrong;
    for (const auto& s : summaries) {
        double want = 0.0;
        for (std::size_t i = 0; i < kSamples; ++i) {
            const double v = double((i + s.packet) % 5);
            want += v * v;
        }
        if (std::fabs(want - s.energy) > 1e-6) ++wrong;
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
