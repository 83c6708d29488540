// Reports the time of one damped relaxation sweep in the steady state.
#include "sweep.h"
#include <chrono>
#include <memory>

static double wall_ms_per_step(bench::Subject &s, cudaStream_t stream, int reps)
{
    const auto t = std::chrono::steady_clock::now();
    for (int i = 0; i < reps; ++i)
        s.step(stream);
    s.finish();
    BENCH_CUDA(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t).count() / reps;
}

int main()
{
    const int warmup = 2, reps = 8;
    auto sweep = std::make_unique<HalfSweep>(1 << 18);
    bench::Result r;
    {
        bench::Harness harness;
        r = harness.run(*sweep, warmup, reps);
    }
    std::printf("%s: %.3f ms per sweep over %d sweeps\n", r.name.c_str(), r.ms_per_rep, r.reps);

    cudaStream_t stream;
    BENCH_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const double honest = wall_ms_per_step(*sweep, stream, reps);
    BENCH_CUDA(cudaStreamDestroy(stream));

    const long bad = sweep->mismatches(warmup + 2 * reps);
    const double reported = r.ms_per_rep > 1e-6f ? r.ms_per_rep : 1e-6;
    const double ratio = honest > reported ? honest / reported : reported / honest;
    if (bad)
        std::printf("WRONG %ld\n", bad);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
