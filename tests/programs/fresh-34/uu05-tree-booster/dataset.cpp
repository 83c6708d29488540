#include "gbt/dataset.h"

namespace gbt {

Dataset make_dataset(int rows, int features) {
    Dataset d;
    d.rows = rows;
    d.features = features;
    d.bins.resize(static_cast<std::size_t>(rows) * features);
    d.target.resize(rows);
    uint32_t seed = 5u;
    for (auto& b : d.bins) {
        seed = seed * 1664525u + 1013904223u;
        b = static_cast<uint8_t>((seed >> 20) % kBins);
    }
    for (int r = 0; r < rows; ++r) {
        seed = seed * 1664525u + 1013904223u;
        int32_t y = static_cast<int32_t>((seed >> 22) % 64) - 32;
        y += d.bin(1 % features, r) > 11 ? 900 : -300;
        y += d.bin(3 % features, r) > 20 ? 450 : -150;
        y += 13 * d.bin(2 % features, r);
        d.target[r] = y;
    }
    return d;
}

Stump best_split(const BinStat* histograms, int features) {
    Stump best;
    double best_gain = -1.0;
    for (int f = 0; f < features; ++f) {
        const BinStat* h = histograms + f * kBins;
        long long g_all = 0;
        long long n_all = 0;
        for (int b = 0; b < kBins; ++b) {
            g_all += h[b].gradient;
            n_all += h[b].count;
        }
        long long g = 0;
        long long n = 0;
        for (int b = 0; b + 1 < kBins; ++b) {
            g += h[b].gradient;
            n += h[b].count;
            if (n == 0 || n == n_all) continue;
            const double gl = static_cast<double>(g);
            const double gr = static_cast<double>(g_all - g);
            const double gain = gl * gl / n + gr * gr / (n_all - n);
            if (gain > best_gain) {
                best_gain = gain;
                best.feature = f;
                best.threshold = b;
                best.left = static_cast<int32_t>(g / n / 2);
                best.right = static_cast<int32_t>((g_all - g) / (n_all - n) / 2);
            }
        }
    }
    return best;
}

std::vector<Stump> train_on_host(const Dataset& data, int rounds) {
    std::vector<int32_t> residual = data.target;
    std::vector<Stump> model;
    for (int round = 0; round < rounds; ++round) {
        std::vector<BinStat> h(static_cast<std::size_t>(data.features) * kBins, BinStat{0, 0});
        for (int f = 0; f < data.features; ++f) {
            for (int r = 0; r < data.rows; ++r) {
                BinStat& s = h[f * kBins + data.bin(f, r)];
                s.gradient += residual[r];
                ++s.count;
            }
        }
        const Stump s = best_split(h.data(), data.features);
        for (int r = 0; r < data.rows; ++r) residual[r] -= data.bin(s.feature, r) <= s.threshold ? s.left : s.right;
        model.push_back(s);
    }
    return model;
}

}  // namespace gbt
