// Mission of a robot swarm: paths are planned for a tick, then the controller carries it out.
#include <vector>

#include "swarm.cuh"

namespace {

constexpr int kTicks = 12;

int countWrong(const int* devicePositions) {
    std::vector<int> positions(kRobots);
    SW_CHECK(cudaMemcpy(positions.data(), devicePositions, kRobots * sizeof(int),
                        cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < kRobots; ++i) {
        int expected = 0;
        for (int t = 0; t < kTicks; ++t) expected += t * 3 + i % 5;
        wrong += positions[i] != expected;
    }
    return wrong;
}

}  // namespace

int main() {
    int wrong = 0;
    {
        Planner planner;
        Controller controller;
        planner.plan(0);
        controller.start(planner.setpoints());
        for (int tick = 0; tick < kTicks; ++tick) {
            if (tick > 0) planner.plan(tick);
            controller.advance();
        }
        controller.halt();
        wrong = countWrong(controller.positions());
    }
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
