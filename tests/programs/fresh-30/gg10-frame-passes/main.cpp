#include <atomic>
#include <cstdio>
#include <memory>
#include <vector>

#include "renderer.h"

using namespace frame;

namespace {

constexpr int kFrames = 24;
constexpr int kSlots = 2;

Camera camera_at(int f) { return Camera{f * 3, 40 - f, 1 + f % 4, 1 + f % 3}; }

long inspect(const int* image, const Camera& c) {
    long bad = 0;
    for (int p = 0; p < kPixels; ++p) {
        const int d = depth_of(c, p);
        const int right = p + 1 < kPixels ? depth_of(c, p + 1) : 0;
        const int below = p + kWidth < kPixels ? depth_of(c, p + kWidth) : 0;
        const int want = composite_of(shadow_of(c, p), d, normal_of(c, p), occlusion_of(d, right, below), c.exposure);
        bad += image[p] != want;
    }
    return bad;
}

}  // namespace

int main() {
    long bad = 0;
    std::atomic<int> frames{0};
    {
        Loom loom(4);
        cudaStream_t queue;
        gpu(cudaStreamCreateWithFlags(&queue, cudaStreamNonBlocking));
        {
            std::vector<std::unique_ptr<FrameSlot>> slots;
            for (int i = 0; i < kSlots; ++i) slots.push_back(std::make_unique<FrameSlot>(loom, queue, &frames));
            frames = 0;

            for (int f = 0; f < kFrames + kSlots; ++f) {
                FrameSlot& slot = *slots[static_cast<size_t>(f % kSlots)];
                if (f >= kSlots) bad += inspect(slot.image(), camera_at(f - kSlots));
                if (f < kFrames) slot.submit(camera_at(f));
            }
        }
        gpu(cudaStreamDestroy(queue));
    }
    bad += frames.load() != 101 * kFrames;
    if (bad) {
        std::printf("WRONG %ld\n", bad);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
