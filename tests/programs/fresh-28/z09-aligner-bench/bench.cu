#include <chrono>
#include "bench.h"

namespace genome {

static void alignPanel(Aligner& aligner)
{
    for (int b = 0; b < aligner.options().batches; ++b) aligner.submit(b);
    aligner.flush();
}

BenchResult runBench(Aligner& aligner, int warmups)
{
    for (int w = 0; w < warmups; ++w) {
        alignPanel(aligner);
        aligner.wait();
    }
    DeviceTimer timer;
    BenchResult result{};
    result.milliseconds = timer.measure(aligner.stream(), [&] { alignPanel(aligner); });
    aligner.wait();

    const AlignerOptions& o = aligner.options();
    const double cells = static_cast<double>(o.batches) * o.readsPerBatch * o.cellsPerRead;
    result.gcups = cells / (result.milliseconds * 1e6);
    return result;
}

double auditMilliseconds(Aligner& aligner)
{
    const auto begin = std::chrono::steady_clock::now();
    alignPanel(aligner);
    aligner.wait();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    return took.count();
}

}  // namespace genome

int main()
{
    genome::Aligner aligner(genome::AlignerOptions{});
    const genome::BenchResult result = genome::runBench(aligner, 2);
    const double audit = genome::auditMilliseconds(aligner);
    std::fprintf(stderr, "%.2f ms, %.2f GCUPS, audit %.2f ms\n", result.milliseconds, result.gcups,
                 audit);

    const int wrong = aligner.wrongScores();
    const double ratio = audit / result.milliseconds;
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5 || ratio < 1.0 / 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
