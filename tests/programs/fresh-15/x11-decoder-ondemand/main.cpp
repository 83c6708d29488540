#include <algorithm>
#include <cstdio>

#include "decoder.h"

namespace {

void layerOnHost(int layer, std::vector<float>& state) {
    std::vector<float> next(state.size());
    const int n = static_cast<int>(state.size());
    for (int r = 0; r < n; ++r) {
        float acc = 0.0f;
        for (int c = 0; c < n; ++c) acc += WeightStore::weight(layer, r, c) * state[c];
        next[r] = std::max(std::min(acc, 8.0f), -8.0f);
    }
    state = next;
}

}  // namespace

int main() {
    constexpr int kWidth = 512;
    constexpr int kLayers = 9;
    try {
        WeightStore store(kWidth);
        Decoder decoder(store, kLayers);
        int wrong = 0;
        for (int token = 0; token < 4; ++token) {
            std::vector<float> state(kWidth);
            for (int i = 0; i < kWidth; ++i) state[i] = static_cast<float>((i * 11 + token * 17) % 9 - 4);
            std::vector<float> expect = state;
            for (int l = 0; l < kLayers; ++l) layerOnHost(l, expect);
            decoder.run(state);
            for (int i = 0; i < kWidth; ++i) wrong += state[i] != expect[i];
        }
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const GpuError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
