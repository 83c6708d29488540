#pragma once
#include <cuda_runtime.h>
#include <array>
#include <memory>
#include <vector>

#include "ledger.h"

#define CODEC_TRY(expr)                      \
    do {                                     \
        cudaError_t codec_err_ = (expr);     \
        if (codec_err_ != cudaSuccess) return codec_err_; \
    } while (0)

struct EncoderConfig {
    int sliceSamples = 1 << 16;
    int slicesPerGop = 6;
    int quantiser = 12;
    long long transformTicks = 60LL * 1000 * 1000;
};

class Encoder {
public:
    Encoder(const EncoderConfig& cfg, RateLedger& ledger) : cfg_(cfg), ledger_(ledger) {}
    ~Encoder();

    cudaError_t open();
    cudaError_t submit(int slice, const short* samples);
    cudaError_t drain();

private:
    struct Ticket {
        Encoder* owner;
        int slice;
        unsigned* coded;
    };
    static void CUDART_CB sliceDone(void* opaque);

    static constexpr int kLanes = 2;
    EncoderConfig cfg_;
    RateLedger& ledger_;
    std::array<cudaStream_t, kLanes> lanes_{};
    std::vector<std::unique_ptr<Ticket>> tickets_;
    short* devSamples_ = nullptr;
    unsigned* devCoded_ = nullptr;
    unsigned* hostCoded_ = nullptr;
};
