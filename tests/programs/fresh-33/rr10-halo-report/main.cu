#include "halo.cuh"

#include <algorithm>

int main() {
    using namespace bench;
    ok(cudaSetDevice(0));
    HaloGrid work(1 << 12);

    using Reported = Runner<HaloGrid, EventClock, WarmRuns<2>, Repeat<6>>;
    using Honest = Runner<HaloGrid, WallClock, WarmRuns<1>, Repeat<6>>;

    const double reported = Reported(work).milliseconds();
    const double honest = Honest(work).milliseconds();
    std::fprintf(stderr, "step: %.2f ms, wall %.2f ms\n", reported, honest);

    if (const int wrong = work.mismatches()) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    const double ratio = std::max(honest / reported, reported / honest);
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
