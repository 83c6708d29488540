#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "flight_recorder.h"

#define RADAR_CUDA(call)                                              \
    do {                                                              \
        cudaError_t e_ = (call);                                      \
        if (e_ != cudaSuccess) {                                      \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));          \
            std::fflush(stdout);                                      \
            std::_Exit(2);                                            \
        }                                                             \
    } while (0)

namespace radar {
struct EngineConfig {
    int cells = 4096;
    int maxDwells = 24;
    unsigned threshold = 0xC0000000u;
    long long integrationNs = 6000000;
};

// Reference for the synthetic echo of one range cell.
__host__ __device__ inline unsigned echo(int dwell, int cell) {
    unsigned x = 0x9E3779B9u * (unsigned)(dwell + 1) ^ 0x85EBCA6Bu * (unsigned)(cell + 7);
    x ^= x >> 15;
    x *= 0x2C1B3C6Du;
    x ^= x >> 13;
    return x;
}

class DwellEngine {
public:
    DwellEngine(const EngineConfig& cfg, FlightRecorder& recorder);
    ~DwellEngine();
    DwellEngine(const DwellEngine&) = delete;

    void submit(int dwell);
    Totals readTotals();
    void drain();
private:
    struct Slot {
        DwellEngine* engine;
        int dwell;
        unsigned* peakHost;
        unsigned* peakDev;
    };
    static void CUDART_CB completed(void* user);

    EngineConfig cfg_;
    FlightRecorder& recorder_;
    cudaStream_t stream_ = nullptr;
    unsigned* peaksHost_ = nullptr;
    unsigned* peaksDev_ = nullptr;
    Totals* totalsHost_ = nullptr;
    Totals* totalsDev_ = nullptr;
    std::vector<Slot> slots_;
};
}  // namespace radar
