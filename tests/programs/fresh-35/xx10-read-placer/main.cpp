// Maps simulated reads, reports the throughput and audits both hits and report.
#include "read_mapper.h"

#include <cstdio>

using namespace readmap;

namespace {

std::vector<int> hostTable(const std::vector<Base>& genome) {
    std::vector<int> table(kTableSize, kNowhere);
    for (int p = 0; p + kSeedLength <= static_cast<int>(genome.size()); ++p) {
        int& entry = table[seedAt(genome.data() + p)];
        entry = std::min(entry, p);
    }
    return table;
}

long countWrongHits(const std::vector<Base>& genome, const std::vector<ReadBatch>& batches,
                    const std::vector<HitList>& hits) {
    const std::vector<int> table = hostTable(genome);
    long wrong = 0;
    for (std::size_t b = 0; b < batches.size(); ++b) {
        for (std::size_t r = 0; r < hits[b].size(); ++r) {
            const Hit expected = placeRead(batches[b].bases.data() + r * kReadLength, genome.data(),
                                           static_cast<int>(genome.size()), table.data());
            if (hits[b][r].position != expected.position || hits[b][r].score != expected.score) ++wrong;
        }
    }
    return wrong;
}

double timedRun(ReadMapper& mapper, const std::vector<ReadBatch>& batches, std::vector<HitList>& hits) {
    CUDA_TRY(cudaDeviceSynchronize());
    const auto start = Clock::now();
    mapper.run(batches, hits);
    CUDA_TRY(cudaDeviceSynchronize());
    return millisBetween(start, Clock::now());
}

}  // namespace

int main() {
    const MapperConfig config;
    Sequencer sequencer(20240607u);
    const std::vector<Base> genome = sequencer.genome(config.genomeLength);
    std::vector<ReadBatch> batches;
    for (int b = 0; b < config.batches; ++b) batches.push_back(sequencer.reads(genome, config.batchReads));

    ReadMapper mapper(config, genome);
    ThroughputMeter meter(2);
    const ThroughputReport report = meter.measure(mapper, batches, config.batchReads);

    std::vector<HitList> hits;
    const double audited = timedRun(mapper, batches, hits);
    const long wrong = countWrongHits(genome, batches, hits);

    std::vector<HitList> single;
    const double latency = timedRun(mapper, {batches.front()}, single);
    const double rounds = static_cast<double>((batches.size() + mapper.depth() - 1) / mapper.depth());
    const double ideal = latency * rounds;

    std::printf("reported %.1f ms per pass (%.0f reads/s), audited %.1f ms, ideal %.1f ms\n",
                report.steadyMillisPerPass, report.readsPerSecond, audited, ideal);
    if (wrong != 0) {
        std::printf("WRONG %ld\n", wrong);
        return 1;
    }
    const double reportRatio =
        std::max(report.steadyMillisPerPass / audited, audited / report.steadyMillisPerPass);
    const double ratio = std::max(reportRatio, audited / ideal);
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
