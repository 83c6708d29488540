#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <string>
#include <unordered_map>

namespace audio {

inline constexpr int taps = 512;
inline constexpr int out_samples = 1 << 13;

void expect_ok(cudaError_t status);

/// Polyphase filter for one conversion ratio, laid out for the lane that runs it.
class plan {
public:
    plan(int ratio, cudaStream_t lane);
    ~plan();
    plan(plan const&) = delete;
    plan& operator=(plan const&) = delete;

    void run(int const* in, int* out) const;

private:
    int ratio_;
    cudaStream_t lane_;
    int* filter_ = nullptr;
};

/// Plans hold lane-local state, so they are shared only between conversions of the same ratio on the same lane.
class plan_cache {
public:
    std::shared_ptr<plan const> get(int ratio, std::size_t lane_index, cudaStream_t lane)
    {
        auto const key = std::to_string(ratio) + '/' + std::to_string(lane_index);
        auto& entry = plans_[key];
        if (!entry) entry = std::make_shared<plan const>(ratio, lane);
        return entry;
    }

private:
    std::unordered_map<std::string, std::shared_ptr<plan const>> plans_;
};

inline constexpr int sample(int i) { return i * 29 % 4093 - 2000; }
inline constexpr int coefficient(int ratio, int t) { return (t * 5 + ratio) % 31 - 15; }

} // namespace audio
