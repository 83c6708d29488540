#include "graph_cache.hpp"

namespace {

// Host model of one decode step, used to validate the generated text.
std::vector<int> step_on_host(std::vector<int>& kv, const std::vector<int>& rows) {
    std::vector<int> tokens;
    for (int slot : rows) {
        const int* row = kv.data() + slot * kHeadDim;
        int top = -2147483647, arg = 0;
        for (int t = 0; t < kVocab; ++t) {
            int acc = 0;
            for (int d = 0; d < kHeadDim; ++d) acc += row[d] * vocab_weight(t, d);
            if (acc > top) {
                top = acc;
                arg = t;
            }
        }
        tokens.push_back(arg);
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (int d = 0; d < kHeadDim; ++d) {
            int& v = kv[rows[i] * kHeadDim + d];
            v = (v * 5 + tokens[i] + d) % 101;
        }
    return tokens;
}

}  // namespace

int main() {
    DecoderState state;
    CU(cudaMalloc(&state.kv, kSlots * kHeadDim * sizeof(int)));
    CU(cudaMalloc(&state.slot_of, kMaxBatch * sizeof(int)));
    CU(cudaMalloc(&state.token, kMaxBatch * sizeof(int)));
    CU(cudaMalloc(&state.score, kMaxBatch * sizeof(int)));

    std::vector<int> kv(kSlots * kHeadDim);
    for (std::size_t i = 0; i < kv.size(); ++i)
        kv[i] = static_cast<int>((i * 2654435761u >> 7) % 101);
    CU(cudaMemcpy(state.kv, kv.data(), kv.size() * sizeof(int), cudaMemcpyHostToDevice));
    CU(cudaDeviceSynchronize());

    long wrong = 0;
    {
        Placement placement;
        const std::vector<int> buckets{1, 2, 4, 8};
        GraphCache cache(state, placement, buckets);
        // Arrival pattern of the request mix: batch grows, then drains.
        for (int bucket : {1, 2, 2, 4, 8, 8, 4, 2, 1, 1}) {
            cache.launch(bucket);
            const auto got = cache.tokens(bucket);
            const auto want = step_on_host(kv, placement.rows(bucket));
            for (int i = 0; i < bucket; ++i) wrong += got[i] != want[i];
        }
    }

    std::vector<int> pages(kv.size());
    CU(cudaMemcpy(pages.data(), state.kv, pages.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < kv.size(); ++i) wrong += pages[i] != kv[i];

    cudaFree(state.kv);
    cudaFree(state.slot_of);
    cudaFree(state.token);
    cudaFree(state.score);
    if (wrong) std::printf("WRONG %ld\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
