#include <chrono>
#include <cstdio>
#include <utility>

#include "engine.h"

namespace {

/// Steady-state throughput of a subject: something with a step and a finish.
template <class Step, class Finish>
class steady_bench {
public:
    steady_bench(Step step, Finish finish) : step_{std::move(step)}, finish_{std::move(finish)} {}

    steady_bench& warmup(int n)
    {
        warmup_ = n;
        return *this;
    }

    steady_bench& iterations(int n)
    {
        iterations_ = n;
        return *this;
    }

    double milliseconds_per_step()
    {
        for (int i = 0; i < warmup_; ++i) step_();
        finish_();
        auto const begin = std::chrono::steady_clock::now();
        for (int i = 0; i < iterations_; ++i) step_();
        finish_();
        std::chrono::duration<double, std::milli> const d = std::chrono::steady_clock::now() - begin;
        return d.count() / iterations_;
    }

private:
    Step step_;
    Finish finish_;
    int warmup_ = 0;
    int iterations_ = 1;
};

} // namespace

int main()
{
    constexpr int ratio = 3;
    audio::engine engine{ratio};

    steady_bench bench{[&] { engine.convert(ratio); }, [&] { engine.finish(); }};
    auto const reported = bench.warmup(1).iterations(16).milliseconds_per_step();
    auto const later = bench.milliseconds_per_step();

    auto const bad = engine.mismatches(ratio);
    auto const off = reported > later ? reported / later : later / reported;
    if (bad != 0)
        std::printf("WRONG %ld\n", bad);
    else if (off > 1.5)
        std::printf("SLOW %.2f\n", off);
    else
        std::printf("DONE\n");
    return bad != 0 || off > 1.5;
}
