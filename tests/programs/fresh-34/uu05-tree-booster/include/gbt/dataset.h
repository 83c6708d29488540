#pragma once

#include <cstdint>
#include <vector>

namespace gbt {

constexpr int kBins = 32;

struct Dataset {
    int rows = 0;
    int features = 0;
    std::vector<uint8_t> bins;    // feature-major
    std::vector<int32_t> target;  // fixed point

    uint8_t bin(int feature, int row) const { return bins[static_cast<std::size_t>(feature) * rows + row]; }
};

struct Stump {
    int feature = 0;
    int threshold = 0;  // bins up to this go left
    int32_t left = 0;
    int32_t right = 0;
    bool operator==(const Stump& o) const {
        return feature == o.feature && threshold == o.threshold && left == o.left && right == o.right;
    }
};

struct BinStat {
    long long gradient;
    long long count;
};

Dataset make_dataset(int rows, int features);

// Picks the split with the largest gain from the histograms of all features.
Stump best_split(const BinStat* histograms, int features);

std::vector<Stump> train_on_host(const Dataset& data, int rounds);

}  // namespace gbt
