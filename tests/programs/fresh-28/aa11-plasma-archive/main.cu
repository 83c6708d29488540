#include "solver.cuh"

int main() {
    using namespace plasma;
    constexpr int kParticles = 1 << 14;
    constexpr int kSteps = 30;
    constexpr int kEvery = 3;

    long wrong = 0;
    {
        Solver solver(kParticles);
        Archive archive(kParticles, 2);

        std::vector<uint32_t> sums;
        for (int step = 1; step <= kSteps; ++step) {
            sums.push_back(solver.step(step));
            if (step % kEvery == 0) archive.snapshot(step, solver.positions(), solver.stream());
        }
        const auto& files = archive.finish();

        std::vector<uint32_t> x(kParticles);
        for (int i = 0; i < kParticles; ++i) x[i] = start_of(i);
        for (int step = 1; step <= kSteps; ++step) {
            uint32_t sum = 0;
            for (int i = 0; i < kParticles; ++i) sum += x[i] = move(x[i], step);
            wrong += sum != sums[step - 1];
            if (step % kEvery) continue;
            const auto file = files.find(step);
            if (file == files.end()) {
                ++wrong;
                continue;
            }
            uint32_t previous = 0;
            for (int i = 0; i < kParticles; ++i) {
                const uint32_t value = decode(file->second[i], previous, i);
                wrong += value != x[i];
                previous = x[i];
            }
        }
    }
    if (wrong) std::printf("WRONG %ld\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
