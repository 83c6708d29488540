#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

namespace flow {

inline void verify(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

constexpr int kSlots = 3;
constexpr int kPixels = 320 * 240;

using FrameObserver = std::function<void(int frame, const int* motion)>;
using FrameSource = std::function<void(int frame, int* pixels)>;

struct Slot {
    int frame = -1;
    int* hostImage = nullptr;
    int* hostMotion = nullptr;
    int* image = nullptr;
    int* motion = nullptr;
    cudaEvent_t uploaded = nullptr;
    cudaEvent_t computed = nullptr;
    cudaEvent_t downloaded = nullptr;
};

// Motion between consecutive camera frames, three frames deep.
class MotionPipeline {
public:
    MotionPipeline();
    ~MotionPipeline();
    MotionPipeline(const MotionPipeline&) = delete;
    MotionPipeline& operator=(const MotionPipeline&) = delete;

    void subscribe(FrameObserver observer) { observers_.push_back(std::move(observer)); }
    void run(int frames, const FrameSource& source);

private:
    void begin(int frame, const FrameSource& source);
    void publish(Slot& slot);
    Slot& slotOf(int frame) { return slots_[frame % kSlots]; }

    cudaStream_t upload_ = nullptr;
    cudaStream_t compute_ = nullptr;
    cudaStream_t download_ = nullptr;
    std::array<Slot, kSlots> slots_;
    std::vector<FrameObserver> observers_;
};

}  // namespace flow
