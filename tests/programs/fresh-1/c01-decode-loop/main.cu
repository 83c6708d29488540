#include <cstdint>
#include <cstdio>
#include <vector>

#include "decoder.cuh"

namespace {

constexpr int kTokens = 24;

void layer_weights(int layer, LayerBlock& b) {
    for (int i = 0; i < kTile; ++i) {
        b.gain[i] = 2u * (layer * 131u + i * 17u) + 3u;
        b.shift[i] = layer * 977u + i * 5u + 1u;
    }
}

std::vector<uint32_t> reference(std::vector<uint32_t> state) {
    std::vector<uint32_t> tokens;
    LayerBlock b;
    for (int t = 0; t < kTokens; ++t) {
        for (int l = 0; l < kLayers; ++l) {
            layer_weights(l, b);
            for (int i = 0; i < kHidden; ++i) state[i] = state[i] * b.gain[i % kTile] + b.shift[i % kTile];
        }
        uint32_t acc = 0;
        for (int i = 0; i < kHidden; ++i) acc ^= state[i] + i;
        tokens.push_back(acc);
    }
    return tokens;
}

}  // namespace

int main() {
    std::vector<uint32_t> prompt(kHidden);
    for (int i = 0; i < kHidden; ++i) prompt[i] = i * 2654435761u;

    uint32_t *state = nullptr, *tokens = nullptr;
    int* cursor = nullptr;
    CU(cudaMalloc(&state, kHidden * sizeof(uint32_t)));
    CU(cudaMalloc(&tokens, kTokens * sizeof(uint32_t)));
    CU(cudaMalloc(&cursor, sizeof(int)));
    CU(cudaMemcpy(state, prompt.data(), kHidden * sizeof(uint32_t), cudaMemcpyHostToDevice));
    CU(cudaMemset(cursor, 0, sizeof(int)));
    CU(cudaDeviceSynchronize());

    StagingPool pool(sizeof(LayerBlock));
    pool.reserve(kLayers);
    std::vector<uint32_t> got(kTokens);
    {
        DecodeStep decoder(state, tokens, cursor);
        decoder.record(pool, layer_weights);
        for (int t = 0; t < kTokens; ++t) decoder.step();
        decoder.finish();
        CU(cudaMemcpy(got.data(), tokens, kTokens * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    }

    const std::vector<uint32_t> want = reference(prompt);
    int wrong = 0;
    for (int t = 0; t < kTokens; ++t) wrong += got[t] != want[t];

    CU(cudaFree(state));
    CU(cudaFree(tokens));
    CU(cudaFree(cursor));
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
