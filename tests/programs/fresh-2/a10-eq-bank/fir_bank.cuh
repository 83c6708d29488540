#pragma once
#include <cuda_runtime.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define FIR_CALL(x)                                               \
    if (cudaError_t e_ = (x); e_ != cudaSuccess) {                \
        std::printf("ERROR %s\n", cudaGetErrorName(e_));          \
        std::fflush(stdout);                                      \
        std::_Exit(1);                                            \
    }

namespace audio {

constexpr int kBands = 5;
constexpr int kTaps = 64;
constexpr int kBlock = 4096;

struct BandSpec {
    float centre;
    float width;
    float gain;
};

using Preset = std::array<BandSpec, kBands>;

void design_band(const BandSpec& spec, float* taps);

class FirBank {
public:
    FirBank();
    ~FirBank();
    FirBank(const FirBank&) = delete;
    FirBank& operator=(const FirBank&) = delete;

    void compile(const Preset& preset);
    void process(const float* in, float* out);

private:
    void record_upload(int band, const BandSpec& spec);
    void record_band(int band);

    cudaStream_t main_ = nullptr;
    std::array<cudaStream_t, kBands> side_{};
    std::array<cudaEvent_t, kBands> done_{};
    cudaEvent_t fork_ = nullptr;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;

    float* taps_dev_ = nullptr;
    float* taps_host_ = nullptr;
    float* in_dev_ = nullptr;
    float* band_dev_ = nullptr;
    float* out_dev_ = nullptr;
    float* in_host_ = nullptr;
    float* out_host_ = nullptr;
};

}  // namespace audio
