#include "bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace bench;

// Wall clock of one shot on an otherwise idle device, the best of three.
static double wall_ms(Case& subject, cudaStream_t stream) {
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        require(cudaDeviceSynchronize());
        const auto t0 = std::chrono::steady_clock::now();
        subject.enqueue(stream);
        require(cudaDeviceSynchronize());
        best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count());
    }
    return best;
}

int main() {
    Runner runner(9);
    std::vector<std::unique_ptr<Case>> cases;
    cases.push_back(make_near_only());
    cases.push_back(make_evaluation());

    long wrong = 0;
    double worst = 1.0;
    for (auto& subject : cases) {
        const Result r = runner.measure(*subject);
        const double wall = wall_ms(*subject, runner.stream());
        std::fprintf(stderr, "%-12s %8.3f ms\n", r.name.c_str(), r.median_ms);
        const double ratio = wall / r.median_ms;
        worst = std::max({worst, ratio, 1.0 / ratio});
        wrong += subject->errors();
    }
    if (wrong) std::printf("WRONG %ld\n", wrong);
    else if (worst > 1.5) std::printf("SLOW %.2f\n", worst);
    else std::printf("DONE\n");
    return 0;
}
