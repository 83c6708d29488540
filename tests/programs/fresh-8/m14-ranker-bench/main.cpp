// Steady-state throughput of the ranker at the production batch size.
#include "ranker.h"
#include <chrono>

namespace {

struct Options {
    int batch = 96;
    int items = 512;
    int warm_rounds = 3;
    int rounds = 4;
};

struct Report {
    double ms_per_batch;
    double users_per_s;
};

void warm_up(rec::Ranker& ranker, int batch, int rounds, cudaStream_t s)
{
    for (int i = 0; i < rounds; ++i) ranker.score(batch);
    rec::must(cudaStreamSynchronize(s));
}

Report measure(rec::Ranker& ranker, const Options& o, cudaStream_t s)
{
    using clk = std::chrono::steady_clock;
    const auto t0 = clk::now();
    for (int i = 0; i < o.rounds; ++i) ranker.score(o.batch);
    rec::must(cudaStreamSynchronize(s));
    const double ms = std::chrono::duration<double, std::milli>(clk::now() - t0).count() / o.rounds;
    return {ms, o.batch / ms * 1e3};
}

int audit(const rec::Ranker& ranker, int batch)
{
    const auto v = ranker.scores(batch);
    int wrong = 0;
    for (size_t i = 0; i < v.size(); ++i) {
        const float want = float(i / ranker.items()) + 0.5f * float(i % ranker.items());
        if (v[i] != want) ++wrong;
    }
    return wrong;
}

} // namespace

int main()
{
    const Options opt;
    cudaStream_t stream;
    rec::must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    int wrong = 0;
    Report claimed{}, later{};
    {
        rec::Ranker ranker(opt.items, stream);
        warm_up(ranker, opt.batch / 2, opt.warm_rounds, stream);
        claimed = measure(ranker, opt, stream);
        std::printf("steady state: %.2f ms per batch, %.0f users/s\n", claimed.ms_per_batch, claimed.users_per_s);
        later = measure(ranker, opt, stream);
        wrong = audit(ranker, opt.batch);
    }
    rec::must(cudaStreamDestroy(stream));

    double ratio = claimed.ms_per_batch / later.ms_per_batch;
    if (ratio < 1) ratio = 1 / ratio;
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
