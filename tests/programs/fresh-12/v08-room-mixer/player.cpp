// Offline bounce of a few blocks through every room of the preset list.
#include <cstdio>
#include <vector>

#include "chain.h"

using room::Chain;
using room::ChainBuilder;
using room::expect;

namespace {

constexpr int kBlock = 4096;
constexpr int kBlocks = 4;

std::vector<ChainBuilder> presets() {
    std::vector<ChainBuilder> list;
    list.push_back(ChainBuilder("cabin").block(kBlock).wall(3, 40).wall(9, 7).wall(27, 1));
    list.push_back(ChainBuilder("chapel").block(kBlock).wall(5, 2).wall(11, 3).wall(17, 5).wall(23, 7).wall(31, 9));
    list.push_back(ChainBuilder("stairwell").block(kBlock).wall(101, 13).wall(64, 12).wall(77, 8).wall(2, 1));
    return list;
}

void fill(uint32_t* samples, int block) {
    for (int i = 0; i < kBlock; ++i) samples[i] = static_cast<uint32_t>((i * 31 + block * 1009) % 65521);
}

long bounce(const ChainBuilder& preset, cudaStream_t stream) {
    const Chain chain = preset.build(stream);
    auto tape = room::page_locked<uint32_t>(kBlock);
    long wrong = 0;
    for (int b = 0; b < kBlocks; ++b) {
        fill(tape.get(), b);
        std::vector<uint32_t> want(tape.get(), tape.get() + kBlock);
        expect(cudaMemcpyAsync(chain.dry(), tape.get(), kBlock * sizeof(uint32_t), cudaMemcpyHostToDevice, stream));
        chain.play(stream);
        expect(cudaMemcpyAsync(tape.get(), chain.wet(), kBlock * sizeof(uint32_t), cudaMemcpyDeviceToHost, stream));
        expect(cudaStreamSynchronize(stream));
        preset.render(want);
        for (int i = 0; i < kBlock; ++i) wrong += tape.get()[i] != want[i];
    }
    std::fprintf(stderr, "%s: %ld samples off\n", chain.title().c_str(), wrong);
    return wrong;
}

}  // namespace

int main() {
    try {
        cudaStream_t stream;
        expect(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        long wrong = 0;
        for (const auto& preset : presets()) wrong += bounce(preset, stream);
        expect(cudaStreamDestroy(stream));
        if (wrong)
            std::printf("WRONG %ld\n", wrong);
        else
            std::printf("DONE\n");
    } catch (const room::CudaFailure& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
    return 0;
}
