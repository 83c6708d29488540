#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <vector>

#define GPU(expr)                                                      \
    if (const cudaError_t gpuStatus = (expr); gpuStatus != cudaSuccess) \
    ::gpu::fail(gpuStatus)

namespace gpu {
[[noreturn]] inline void fail(cudaError_t status)
{
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

enum QueueId { Graphics, Compute, Transfer, QueueCount };

struct QueueDesc {
    const char* name;
    bool adopt = false;  // of the presentation layer, which draws through the default stream
    int priority = 0;
    unsigned flags = cudaStreamDefault;
};

class Fence {
public:
    Fence() { GPU(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    ~Fence() { cudaEventDestroy(event_); }
    Fence(const Fence&) = delete;
    void signal(cudaStream_t stream) { GPU(cudaEventRecord(event_, stream)); }
    void await(cudaStream_t stream) const { GPU(cudaStreamWaitEvent(stream, event_, 0)); }
    void block() const { GPU(cudaEventSynchronize(event_)); }
private:
    cudaEvent_t event_ = nullptr;
};

struct Pass {
    QueueId queue = Graphics;
    std::vector<const Fence*> after;
    std::function<void(cudaStream_t)> draw;
    Fence* signals = nullptr;
};

class Device {
public:
    Device();
    ~Device();
    void submit(const Pass& pass)
    {
        cudaStream_t stream = queues_[pass.queue];
        for (const Fence* fence : pass.after) fence->await(stream);
        if (pass.draw) pass.draw(stream);
        if (pass.signals) pass.signals->signal(stream);
    }
    void finish() { GPU(cudaDeviceSynchronize()); }
private:
    cudaStream_t queues_[QueueCount] = {};
};
}  // namespace gpu

struct FrameConstants {
    int frame;
    int wind;
    int sun;
};

// The passes. Each one reads the constants of its frame.
void drawParticles(const FrameConstants* constants, int* particles, cudaStream_t stream);
void drawShadows(const FrameConstants* constants, int* shadows, cudaStream_t stream);
void drawCloth(const int* particles, int* cloth, cudaStream_t stream);
void drawLighting(const int* shadows, int* lit, cudaStream_t stream);
void drawComposite(const int* lit, const int* cloth, long long* image, cudaStream_t stream);

constexpr int kItems = 4096;
