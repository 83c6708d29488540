#pragma once
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace radar {

constexpr int kSamples = 512;
constexpr int kTableEntries = 1 << 20;

struct RadarError : std::runtime_error {
    explicit RadarError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void ensure(cudaError_t e) {
    if (e != cudaSuccess) throw RadarError(e);
}

enum class Command : int { Idle = 0, Process = 1, Quit = 2 };

// Shared between the host and the resident detector; lives in mapped memory.
struct Mailbox {
    volatile unsigned ticket;
    volatile unsigned finished;
    volatile int command;
    const volatile float* volatile table;
    volatile float samples[kSamples];
    volatile float detections[kSamples];
};

}  // namespace radar
