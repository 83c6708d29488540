// Maps many batches of reads and measures the rate at which that happens.
#pragma once

#include "lane.h"
#include "reference_index.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

namespace readmap {

class ReadMapper {
public:
    ReadMapper(const MapperConfig& config, std::vector<Base> genome) : index_(config, std::move(genome)) {
        for (int i = 0; i < config.lanes; ++i) lanes_.push_back(std::make_unique<Lane>(config));
    }

    // Maps all batches; hits[b] belongs to batches[b].
    void run(const std::vector<ReadBatch>& batches, std::vector<HitList>& hits) {
        hits.resize(batches.size());
        const IndexView& index = index_.view();
        const std::size_t depth = lanes_.size();
        for (std::size_t b = 0; b < batches.size(); ++b) {
            Lane& lane = *lanes_[b % depth];
            if (b >= depth) lane.collect(hits[b - depth]);
            lane.dispatch(batches[b], index);
        }
        const std::size_t tail = batches.size() > depth ? batches.size() - depth : 0;
        for (std::size_t b = tail; b < batches.size(); ++b) lanes_[b % depth]->collect(hits[b]);
    }

    std::size_t depth() const { return lanes_.size(); }

private:
    ReferenceIndex index_;
    std::vector<std::unique_ptr<Lane>> lanes_;
};

using Clock = std::chrono::steady_clock;

inline double millisBetween(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
}

struct ThroughputReport {
    double steadyMillisPerPass = 0.0;
    double readsPerSecond = 0.0;
};

// Steady-state throughput over a few passes through the same batches.
class ThroughputMeter {
public:
    explicit ThroughputMeter(int passes) : passes_(passes) {}

    ThroughputReport measure(ReadMapper& mapper, const std::vector<ReadBatch>& batches, std::size_t readsPerBatch) {
        std::vector<HitList> hits;
        mapper.run(batches, hits);

        const auto start = Clock::now();
        for (int pass = 0; pass < passes_; ++pass) mapper.run(batches, hits);
        const auto stop = Clock::now();

        ThroughputReport report;
        report.steadyMillisPerPass = millisBetween(start, stop) / passes_;
        report.readsPerSecond = 1000.0 * static_cast<double>(readsPerBatch * batches.size()) / report.steadyMillisPerPass;
        return report;
    }

private:
    int passes_;
};

}  // namespace readmap
