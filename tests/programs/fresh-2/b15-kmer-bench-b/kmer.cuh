#pragma once
#include "bench.h"
#include <memory>
#include <vector>

namespace kmer {

struct CounterConfig {
    int bases = 1 << 16;
    int bins = 256;
    unsigned long long scanNs = 8000000ull;
};

class Counter : public bench::Workload {
public:
    virtual std::vector<unsigned> histogram() const = 0;
};

std::unique_ptr<Counter> makeCounter(const CounterConfig& cfg);

}  // namespace kmer
