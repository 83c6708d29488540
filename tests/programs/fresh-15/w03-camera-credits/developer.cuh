#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "ring.h"

inline void ck(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

struct CameraConfig {
    int pixels = 64 * 1024;
    int slots = 4;
    int pictures = 12;
    int gain = 3;
};

// Develops raw sensor pictures on the device and publishes them through the ring.
class Developer {
public:
    Developer(const CameraConfig& cfg, SlotRing& ring);
    ~Developer();

    void submit(int number);
    void settle();
    const std::uint32_t* picture(int slot) const { return out_ + std::size_t(slot) * cfg_.pixels; }

private:
    struct Ticket {
        Developer* owner;
        int number;
        int slot;
    };
    static void CUDART_CB onStart(void* p);
    static void CUDART_CB onFinish(void* p);

    CameraConfig cfg_;
    SlotRing& ring_;
    cudaStream_t stream_ = nullptr;
    std::uint32_t* work_ = nullptr;
    std::uint32_t* landing_ = nullptr;
    std::uint32_t* out_ = nullptr;
    std::vector<std::unique_ptr<Ticket>> tickets_;
};
