// Ozone model: forcing, advection and decay of a field, a few steps.
#include <cstdio>
#include <vector>

#include "dag.h"

namespace {

int simulate() {
    constexpr int kCells = 1 << 16;
    constexpr int kSteps = 4;
    auto source = std::make_shared<dag::Tensor>(kCells);
    auto moved = std::make_shared<dag::Tensor>(kCells);
    auto field = std::make_shared<dag::Tensor>(kCells);
    dag::verify(cudaDeviceSynchronize());

    dag::Executor executor;
    executor.add(dag::makeForcing(source));
    executor.add(dag::makeAdvection(source, moved));
    executor.add(dag::makeDecay(moved, field));

    int bad = 0;
    std::vector<int> cells(kCells);
    for (int step = 0; step < kSteps; ++step) {
        executor.run(step);
        dag::verify(cudaMemcpy(cells.data(), field->data, kCells * sizeof(int), cudaMemcpyDeviceToHost));
        for (int i = 0; i < kCells; ++i) bad += cells[i] != 3 * (1000 * (step + 1) + i % 100) - 7;
    }
    return bad;
}

}  // namespace

int main() {
    try {
        const int bad = simulate();
        if (bad != 0) {
            std::printf("WRONG %d\n", bad);
            return 1;
        }
    } catch (const dag::Error& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
