#include <cstdio>
#include <random>
#include <vector>

#include "counter.cuh"

namespace {

// Stands for a FASTQ parser: bases come in with a composition that drifts along the file.
class Parser {
public:
    void fill(reads::Block& b, std::size_t bytes, int batch) {
        std::minstd_rand rng(1000u + batch);
        for (std::size_t i = 0; i < bytes; ++i) {
            const unsigned r = rng() >> 8;
            b.bases[i] = static_cast<std::uint8_t>(r % 8 < unsigned(batch % 5) ? 2 : r % 4);
        }
        b.used = bytes;
    }
};

std::vector<unsigned> countOnHost(const reads::Block& b) {
    std::vector<unsigned> row(reads::kWords, 0);
    for (std::size_t i = 0; i + 2 < b.used; ++i) ++row[b.bases[i] * 16 + b.bases[i + 1] * 4 + b.bases[i + 2]];
    return row;
}

}  // namespace

int main() {
    constexpr int kBatches = 14;
    constexpr std::size_t kBytes = 192 * 1024;

    reads::Staging staging(3, kBytes);
    reads::KmerCounter counter(kBatches, kBytes);
    Parser parser;
    std::vector<std::vector<unsigned>> expected;

    for (int b = 0; b < kBatches; ++b) {
        reads::Staging::Lease lease = staging.lease();
        parser.fill(*lease, staging.blockBytes(), b);
        expected.push_back(countOnHost(*lease));
        counter.push(std::move(lease));
    }

    const std::vector<unsigned> table = counter.table();
    int wrong = 0;
    for (int b = 0; b < kBatches; ++b)
        for (int w = 0; w < reads::kWords; ++w) wrong += table[std::size_t(b) * reads::kWords + w] != expected[b][w];

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
