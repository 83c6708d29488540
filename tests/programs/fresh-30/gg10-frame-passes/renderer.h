#pragma once
#include <atomic>
#include <deque>
#include <vector>

#include "branches.h"

namespace frame {

constexpr int kWidth = 160;
constexpr int kHeight = 96;
constexpr int kPixels = kWidth * kHeight;

struct Camera {
    int x, y, zoom, exposure;
};

__host__ __device__ inline int shadow_of(const Camera& c, int p) { return ((p * 7 + c.x * 3) ^ (c.y << 2)) & 0xfff; }
__host__ __device__ inline int depth_of(const Camera& c, int p) { return (p % kWidth + c.x) * c.zoom + p / kWidth; }
__host__ __device__ inline int normal_of(const Camera& c, int p) { return ((p / kWidth + c.y) * 13) ^ (p & 63); }
__host__ __device__ inline int occlusion_of(int depth, int right, int below) { return (2 * depth - right - below) & 0xff; }
__host__ __device__ inline int composite_of(int shadow, int depth, int normal, int occlusion, int exposure) {
    return (shadow + (depth ^ normal) - occlusion) * exposure;
}

struct Tally {
    std::atomic<int>* frames;
    int weight;
};

// Everything one frame in flight needs.
class FrameSlot {
public:
    FrameSlot(Loom& loom, cudaStream_t queue, std::atomic<int>* frames);
    ~FrameSlot();
    FrameSlot(const FrameSlot&) = delete;
    FrameSlot& operator=(const FrameSlot&) = delete;

    void submit(const Camera& c);
    // Waits for the frame submitted last.
    const int* image();

private:
    void encode(cudaStream_t s);
    void count(cudaStream_t s, int weight);

    Loom& loom_;
    cudaStream_t queue_;
    std::atomic<int>* frames_;
    std::deque<Tally> tallies_;
    Camera* camera_ = nullptr;         // page-locked
    Camera* device_camera_ = nullptr;
    int* image_ = nullptr;             // page-locked
    int *shadow_ = nullptr, *depth_ = nullptr, *normal_ = nullptr, *occlusion_ = nullptr, *colour_ = nullptr;
    cudaEvent_t shown_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace frame
