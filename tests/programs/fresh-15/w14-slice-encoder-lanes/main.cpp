#include <chrono>
#include <cstdio>

#include "encoder.hpp"

namespace {

std::vector<codec::Slice> slicePicture(int slices, int maxSymbols) {
    std::vector<codec::Slice> out;
    for (int i = 0; i < slices; ++i) out.push_back({i, maxSymbols - (i * 1237) % (maxSymbols / 2)});
    return out;
}

int mismatches(const std::vector<codec::Slice>& picture, const std::vector<std::uint64_t>& digests) {
    int wrong = 0;
    for (const codec::Slice& s : picture) {
        std::uint64_t sum = 0;
        for (int i = 0; i < s.symbols; ++i) sum = sum * 131u + codec::SliceEncoder::reference(s.index, i);
        wrong += sum != digests[s.index];
    }
    return wrong;
}

}  // namespace

int main() {
    using Clock = std::chrono::steady_clock;
    codec::EncoderConfig cfg;
    codec::SliceEncoder encoder(cfg);

    const auto trial = slicePicture(cfg.lanes, cfg.maxSymbols);
    encoder.encode(trial);

    const auto picture = slicePicture(32, cfg.maxSymbols);
    const auto begin = Clock::now();
    encoder.encode(picture);
    const double millis = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();

    const int wrong = mismatches(picture, encoder.digests());
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    const double planned = cfg.sliceMillis * double(picture.size()) / cfg.lanes;
    const double ratio = millis / planned;
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
