#include "relay.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr int kScans = 40;

relay_plot plot(int scan, int track) {
    return {static_cast<float>((track * 3 + scan * 5) % 101), static_cast<float>((track + scan * scan) % 89)};
}

int fail(const relay_t* relay, relay_result result) {
    std::printf("ERROR %s\n", result == RELAY_CUDA ? cudaGetErrorName(relay_error(relay)) : "relay");
    return 1;
}

}  // namespace

int main() {
    const relay_config config{1200, 6, 0.25f};
    relay_t* raw = nullptr;
    relay_result result = relay_open(&config, &raw);
    std::unique_ptr<relay_t, decltype(&relay_close)> relay(raw, relay_close);
    if (result != RELAY_OK) return fail(raw, result);

    for (int scan = 0; scan < kScans; ++scan) {
        relay_plot* plots = nullptr;
        while (!(plots = relay_next(raw))) std::this_thread::yield();
        for (int i = 0; i < config.tracks; ++i) plots[i] = plot(scan, i);
        if ((result = relay_send(raw)) != RELAY_OK) return fail(raw, result);
    }

    std::vector<relay_plot> tracks(config.tracks);
    if ((result = relay_finish(raw, tracks.data())) != RELAY_OK) return fail(raw, result);

    int wrong = 0;
    for (int i = 0; i < config.tracks; ++i) {
        float x = 0, y = 0;
        for (int scan = 0; scan < kScans; ++scan) {
            x += config.gain * (plot(scan, i).x - x);
            y += config.gain * (plot(scan, i).y - y);
        }
        if (std::fabs(x - tracks[i].x) > 1e-2f || std::fabs(y - tracks[i].y) > 1e-2f) ++wrong;
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
