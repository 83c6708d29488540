#include "sketcher.h"

#include <cstdio>

namespace {

constexpr int kBatches = 12;

std::uint32_t kmer(int batch, int i) {
    return static_cast<std::uint32_t>(batch + 1) * 7919u + static_cast<std::uint32_t>(i % (97 + 13 * batch)) * 193u;
}

std::vector<std::uint32_t> reference(const sketch::Config& config) {
    std::vector<std::uint32_t> counts(std::size_t(kBatches) * config.buckets);
    for (int batch = 0; batch < kBatches; ++batch)
        for (int i = 0; i < config.kmersPerBatch; ++i)
            ++counts[std::size_t(batch) * config.buckets +
                     (kmer(batch, i) * 2654435761u >> 16) % config.buckets];
    return counts;
}

}  // namespace

int main() {
    try {
        const sketch::Config config;
        sketch::Sketcher sketcher(config, kBatches);
        const auto counts = sketcher.process([](int batch, std::uint32_t* kmers, int count) {
            for (int i = 0; i < count; ++i) kmers[i] = kmer(batch, i);
        });
        const auto expected = reference(config);
        int wrong = 0;
        for (int batch = 0; batch < kBatches; ++batch) {
            bool same = true;
            for (int b = 0; b < config.buckets; ++b)
                same = same && counts[batch * config.buckets + b] == expected[batch * config.buckets + b];
            if (!same) ++wrong;
        }
        if (wrong) std::printf("WRONG %d\n", wrong);
        else std::printf("DONE\n");
    } catch (const sketch::CudaFailure& failure) {
        std::printf("ERROR %s\n", failure.what());
        return 1;
    }
    return 0;
}
