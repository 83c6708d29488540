#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace radio {

#define RADIO_TRY(x)                                                    \
    if (cudaError_t e = (x); e != cudaSuccess) {                        \
        std::printf("ERROR %s\n", cudaGetErrorName(e));                 \
        std::exit(1);                                                   \
    }

struct LaneConfig {
    int stations = 2048;
    int integrationUs = 25000;
    bool urgent = false;
};

struct Counters {
    unsigned samples;
    unsigned flagged;
};

// One frequency band: accumulates correlations on its own stream.
class Lane {
public:
    Lane(int band, const LaneConfig& cfg);
    ~Lane();
    Lane(Lane&& o) noexcept;
    Lane(const Lane&) = delete;

    void beginIntegration();
    void integrate(int tick);
    Counters finish();
    static Counters expected(int band, const LaneConfig& cfg, int tick);
    int band() const { return band_; }

private:
    enum class Phase { Idle, Open } phase_ = Phase::Idle;
    int band_;
    LaneConfig cfg_;
    cudaStream_t stream_ = nullptr;
    Counters* device_ = nullptr;
    Counters* host_ = nullptr;
};

}  // namespace radio
