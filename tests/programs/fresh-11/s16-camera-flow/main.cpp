// Visual odometry front end: the camera feeds the motion pipeline, observers take the results.
#include "flow.cuh"

namespace {

constexpr int kFrames = 16;

int pixel(int frame, int i) {
    return frame < 0 ? 0 : (frame * 37 + i) % 251;
}

}  // namespace

int main() {
    int wrong = 0;
    int seen = 0;
    {
        flow::MotionPipeline pipeline;
        pipeline.subscribe([&wrong](int frame, const int* motion) {
            const int previous = frame > 0 ? frame - 1 : 0;
            for (int i = 0; i < flow::kPixels; ++i) {
                wrong += motion[i] != 2 * pixel(frame, i) - pixel(previous, i);
            }
        });
        pipeline.subscribe([&wrong, &seen](int frame, const int*) {
            wrong += frame != seen;
            ++seen;
        });
        pipeline.run(kFrames, [](int frame, int* pixels) {
            for (int i = 0; i < flow::kPixels; ++i) pixels[i] = pixel(frame, i);
        });
    }
    wrong += kFrames - seen;
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
