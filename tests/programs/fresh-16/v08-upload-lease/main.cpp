#include "aligner.h"

#include <cstdio>

namespace {

std::string make_reads(int batch, int bytes)
{
    static const char letters[] = {'A', 'C', 'T', 'G'};
    std::string s(bytes, 'A');
    unsigned state = 2463534242u + 7919u * batch;
    for (char& c : s) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        c = letters[(state >> 9) & 3u];
    }
    return s;
}

}  // namespace

int main()
{
    constexpr int kReads = 512, kLength = 100, kBatches = 14;

    seq::aligner a(kReads, kLength);
    std::vector<unsigned> expected(seq::aligner::kBins, 0);
    for (int b = 0; b < kBatches; ++b) {
        const std::string reads = make_reads(b, kReads * kLength);
        for (std::size_t i = 0; i + 3 < reads.size(); ++i) {
            unsigned k = 0;
            for (int j = 0; j < 4; ++j)
                k = k << 2 | ((static_cast<unsigned>(reads[i + j]) >> 1) & 3u);
            ++expected[k];
        }
        a.push(reads);
    }

    const std::vector<unsigned> got = a.histogram();
    long wrong = 0;
    for (int i = 0; i < seq::aligner::kBins; ++i) wrong += got[i] != expected[i];
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
