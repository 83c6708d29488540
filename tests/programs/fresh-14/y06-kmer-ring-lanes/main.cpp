#include <cstdio>
#include <vector>

#include "kmer_counter.h"

namespace {

// Synthetic reads, skewed differently in every batch.
void parseReads(int batch, std::uint8_t* out, std::size_t n) {
    std::uint32_t state = 2463534242u + 977u * std::uint32_t(batch);
    for (std::size_t i = 0; i < n; ++i) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        out[i] = std::uint8_t((state >> 9) & 3u);
    }
}

}  // namespace

int main() {
    constexpr int batches = 8;
    constexpr std::size_t bases = 128 * 1024;

    KmerCounter counter(bases, batches, parseReads);
    for (int b = 0; b < batches; ++b) counter.submit(b);
    const std::vector<unsigned> got = counter.histograms();

    int wrong = 0;
    std::vector<std::uint8_t> reads(bases);
    for (int b = 0; b < batches; ++b) {
        parseReads(b, reads.data(), bases);
        std::vector<unsigned> want(kBins, 0);
        for (std::size_t i = 0; i + 3 < bases; ++i)
            ++want[reads[i] << 6 | reads[i + 1] << 4 | reads[i + 2] << 2 | reads[i + 3]];
        for (int k = 0; k < kBins; ++k)
            if (want[k] != got[std::size_t(b) * kBins + k]) {
                ++wrong;
                break;
            }
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
