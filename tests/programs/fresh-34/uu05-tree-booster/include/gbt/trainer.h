#pragma once

#include <vector>

#include "gbt/cuda_util.h"
#include "gbt/dataset.h"

namespace gbt {

class Trainer {
public:
    Trainer(const Dataset& data, int streams, long long histogram_ns);

    std::vector<Stump> train(int rounds);
    double histogram_ms();

private:
    void start_over();
    void build_histogram(int feature);
    Stump choose();
    void apply(const Stump& s);

    const Dataset& data_;
    long long histogram_ns_;
    Device<uint8_t> bins_;
    Device<int32_t> target_;
    Device<int32_t> residual_;
    std::vector<BinStat> host_;
    Registered<BinStat> pin_;
    cudaStream_t legacy_ = nullptr;
    Streams workers_;
    Streams update_;
};

}  // namespace gbt
