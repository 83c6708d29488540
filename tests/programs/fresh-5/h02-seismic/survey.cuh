#pragma once

#include "slab_pool.hpp"

#include <iterator>
#include <memory>
#include <vector>

namespace seis {

struct SurveyConfig {
    int lines = 2;
    int shots_per_line = 8;
    std::size_t samples = 1u << 16;
    std::size_t slabs = 3;
    unsigned long long migrate_ns = 25'000'000ull;
};

inline float trace_sample(int line, int shot, std::size_t i)
{
    return static_cast<float>((i * 7 + static_cast<std::size_t>(shot) * 131 + static_cast<std::size_t>(line) * 977) % 4096);
}

inline float migrated_sample(float trace, int shot)
{
    return trace * 3.0f + static_cast<float>(shot);
}

struct DeviceRelease {
    void operator()(float* p) const noexcept { cudaFree(p); }
};
using DeviceTraces = std::unique_ptr<float, DeviceRelease>;

// Processes one shot line; returns the migrated images, shot after shot.
std::vector<float> process_line(const SurveyConfig& cfg, SlabPool& pool, int line);

}  // namespace seis
