#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

inline void gpu(cudaError_t rc)
{
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::exit(1);
}

constexpr int kFrames = 8;
constexpr int kPixels = 1 << 16;

// Device buffers of a whole clip; every frame has a place of its own.
struct Clip {
    int* raw = nullptr;       // kFrames * kPixels
    int* smooth = nullptr;    // kFrames * kPixels
    int* score = nullptr;     // kFrames
    int* archive = nullptr;   // kFrames
};

class IStage {
public:
    virtual ~IStage() = default;
    virtual const char* name() const = 0;
    virtual std::vector<std::string> inputs() const = 0;
    virtual int urgency() const = 0;
    virtual void enqueue(const Clip& clip, int frame, cudaStream_t s) = 0;
};

std::unique_ptr<IStage> makeStage(const std::string& kind);
