#include "aligner.h"

#include <chrono>
#include <cstdio>
#include <future>

namespace {

int fail(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    return 1;
}

double since(std::chrono::steady_clock::time_point t0) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
}

}  // namespace

int main() {
    constexpr int kAligners = 4;
    constexpr int kReads = 8;

    std::vector<Aligner> aligners;
    aligners.reserve(kAligners);
    std::vector<std::vector<Read>> work(kAligners);
    for (int a = 0; a < kAligners; ++a) {
        cudaError_t why = cudaSuccess;
        auto made = Aligner::create(kReads, why);
        if (!made) return fail(why);
        aligners.push_back(std::move(*made));
        for (int i = 0; i < kReads; ++i)
            work[a].push_back(Read{static_cast<std::uint32_t>(a * 1000 + i), 50'000 + 1000 * (i % 3)});
    }

    const auto job = [&](int a) {
        const cudaError_t e = aligners[a].align(work[a]);
        return e == cudaSuccess ? aligners[a].wait() : e;
    };

    for (int a = 0; a < kAligners; ++a)
        if (const auto e = job(a); e != cudaSuccess) return fail(e);

    auto t0 = std::chrono::steady_clock::now();
    if (const auto e = job(0); e != cudaSuccess) return fail(e);
    const double alone = since(t0);

    t0 = std::chrono::steady_clock::now();
    std::vector<std::future<cudaError_t>> jobs;
    for (int a = 0; a < kAligners; ++a) jobs.push_back(std::async(std::launch::async, job, a));
    for (auto& j : jobs)
        if (const auto e = j.get(); e != cudaSuccess) return fail(e);
    const double together = since(t0);

    int wrong = 0;
    for (int a = 0; a < kAligners; ++a)
        for (int i = 0; i < kReads; ++i) wrong += aligners[a].score(i) != reference_score(work[a][i]);

    const double ratio = together / alone;
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
}
