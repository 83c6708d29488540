#include "channel.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

namespace {

using ChannelList = std::vector<std::unique_ptr<Channel>>;

// Drives the first `active` channels to their end, returns milliseconds.
double drive(ChannelList& channels, std::size_t active) {
    const auto begin = std::chrono::steady_clock::now();
    std::size_t open = active;
    while (open > 0) {
        bool progress = false;
        open = 0;
        for (std::size_t i = 0; i < active; ++i) {
            Channel& s = *channels[i];
            if (s.finished()) continue;
            ++open;
            while (s.step()) progress = true;
        }
        if (!progress) std::this_thread::yield();
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    for (std::size_t i = 0; i < active; ++i) channels[i]->rewind();
    return took.count();
}

int run() {
    constexpr std::size_t kChannels = 6;
    ChannelList channels;
    for (std::size_t i = 0; i < kChannels; ++i) channels.push_back(std::make_unique<Channel>(static_cast<int>(i)));

    drive(channels, 1);
    const double alone = drive(channels, 1);
    const double together = drive(channels, kChannels);
    std::fprintf(stderr, "one channel %.1f ms, %zu channel %.1f ms\n", alone, kChannels, together);

    int wrong = 0;
    for (const auto& s : channels) wrong += s->wrong();
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    if (const double ratio = together / alone; ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const GpuError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
