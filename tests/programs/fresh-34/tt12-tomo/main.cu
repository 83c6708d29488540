// tomo: reconstructs the slices of a volume side by side
#include "slice.h"

#include <cstdio>

namespace {

constexpr int kSlices = 4;
constexpr int kThreads = 2;

double reconstruct(tasks::Scheduler &sched, std::vector<std::unique_ptr<tomo::Bench>> &benches, int n)
{
    const auto t0 = std::chrono::steady_clock::now();
    std::vector<std::future<void>> done;
    for (int i = 0; i < n; ++i)
        done.push_back(sched.spawn(std::make_shared<tomo::Reconstruct>(*benches[i])));
    for (auto &f : done)
        f.get();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
}

} // namespace

int main()
{
    try {
        std::vector<std::unique_ptr<tomo::Bench>> benches(kSlices);
        tasks::Scheduler sched(kThreads);

        tasks::Latch all(kSlices);
        std::vector<std::future<void>> built;
        for (int i = 0; i < kSlices; ++i)
            built.push_back(sched.spawn(std::make_shared<tomo::Setup>(i, benches[i], all)));
        all.wait();
        for (auto &f : built)
            f.get();

        reconstruct(sched, benches, 1);
        const double one = reconstruct(sched, benches, 1);
        const double many = reconstruct(sched, benches, kSlices);

        long bad = 0;
        for (const auto &b : benches)
            bad += b->mismatches();

        std::fprintf(stderr, "one slice %.1f ms, %d slices %.1f ms\n", one, kSlices, many);
        if (bad)
            std::printf("WRONG %ld\n", bad);
        else if (many / one > 1.5)
            std::printf("SLOW %.2f\n", many / one);
        else
            std::puts("DONE");
    } catch (const tomo::Error &e) {
        std::printf("ERROR %s\n", e.what());
    }
    return 0;
}
