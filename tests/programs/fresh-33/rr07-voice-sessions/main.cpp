#include "session.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

namespace {

using SessionList = std::vector<std::unique_ptr<Session>>;

// Drives the first `active` sessions to their end, returns milliseconds.
double drive(SessionList& sessions, std::size_t active) {
    const auto begin = std::chrono::steady_clock::now();
    std::size_t open = active;
    while (open > 0) {
        bool progress = false;
        open = 0;
        for (std::size_t i = 0; i < active; ++i) {
            Session& s = *sessions[i];
            if (s.finished()) continue;
            ++open;
            while (s.step()) progress = true;
        }
        if (!progress) std::this_thread::yield();
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    for (std::size_t i = 0; i < active; ++i) sessions[i]->rewind();
    return took.count();
}

int run() {
    constexpr std::size_t kCallers = 6;
    SessionList sessions;
    for (std::size_t i = 0; i < kCallers; ++i) sessions.push_back(std::make_unique<Session>(static_cast<int>(i)));

    drive(sessions, 1);
    const double alone = drive(sessions, 1);
    const double together = drive(sessions, kCallers);
    std::fprintf(stderr, "one caller %.1f ms, %zu callers %.1f ms\n", alone, kCallers, together);

    int wrong = 0;
    for (const auto& s : sessions) wrong += s->wrong();
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
