// Simulation half of a game frame: sparks and rigid bodies side by side, two frames in flight.
#include <array>
#include <vector>

#include "systems.cuh"

namespace {

constexpr int kFrames = 8;
constexpr int kInFlight = 2;

struct FrameFence {
    cudaEvent_t sparks = nullptr;
    cudaEvent_t bodies = nullptr;

    FrameFence() {
        GPU(cudaEventCreateWithFlags(&sparks, cudaEventDisableTiming));
        GPU(cudaEventCreateWithFlags(&bodies, cudaEventDisableTiming));
    }
    ~FrameFence() {
        cudaEventDestroy(sparks);
        cudaEventDestroy(bodies);
    }
    void wait() const {
        GPU(cudaEventSynchronize(sparks));
        GPU(cudaEventSynchronize(bodies));
    }
};

int countWrong(const SparkSystem& sparks, const BodySystem& bodies) {
    std::vector<int> light(kMaxSparks), impulse(kBodies);
    GPU(cudaMemcpy(light.data(), sparks.light(), light.size() * sizeof(int), cudaMemcpyDeviceToHost));
    GPU(cudaMemcpy(impulse.data(), bodies.impulse(), impulse.size() * sizeof(int),
                   cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < kMaxSparks; ++i) {
        int expected = 0;
        for (int f = 0; f < kFrames; ++f) {
            if (i < sparksIn(f)) expected += 1000000 + f;
        }
        wrong += light[i] != expected;
    }
    for (int i = 0; i < kBodies; ++i) {
        int expected = 0;
        for (int f = 0; f < kFrames; ++f) expected += f * 10 + i % 7;
        wrong += impulse[i] != expected;
    }
    return wrong;
}

}  // namespace

int main() {
    int wrong = 0;
    {
        FrameArena arena(4u << 20);
        SparkSystem sparks;
        BodySystem bodies;
        std::array<FrameFence, kInFlight> fences;
        GPU(cudaDeviceSynchronize());

        for (int frame = 0; frame < kFrames; ++frame) {
            FrameFence& fence = fences[frame % kInFlight];
            fence.wait();
            arena.reset();
            sparks.update(frame, arena);
            bodies.update(frame, arena);
            GPU(cudaEventRecord(fence.sparks, sparks.stream()));
            GPU(cudaEventRecord(fence.bodies, bodies.stream()));
        }
        for (const FrameFence& fence : fences) fence.wait();
        wrong = countWrong(sparks, bodies);
    }
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
