// Steady-state time per step of a weather surrogate, by streams and by graph
// replay, under the sampler that also runs in production.
#include <algorithm>

#include "sampler.h"

using Clock = std::chrono::steady_clock;

static bench::StepParams params(int step) { return {step, 0x9E37u * unsigned(step + 1)}; }

static double time_per_step(bench::Executor &ex, int steps)
{
    const auto start = Clock::now();
    for (int t = 0; t < steps; ++t) ex.submit(params(t));
    ex.drain();
    const auto stop = Clock::now();
    return std::chrono::duration<double, std::milli>(stop - start).count() / steps;
}

static double device_time_per_step(const std::vector<bench::StepStamp> &st)
{
    return 1e-6 * double(st.back().end - st.front().begin) / st.size();
}

static int differing(const std::vector<unsigned> &state, int steps)
{
    int wrong = 0;
    for (int i = 0; i < bench::kCells; ++i) {
        unsigned want = 0;
        for (int t = 0; t < steps; ++t) {
            const auto p = params(t);
            const unsigned a = unsigned(i) * 2654435761u + p.forcing, b = (unsigned(i) ^ p.forcing) * 40503u + unsigned(p.step);
            want = want * 3u + (a ^ b);
        }
        if (state[i] != want) ++wrong;
    }
    return wrong;
}

int main()
{
    constexpr int steps = 20;
    int wrong = 0;
    double off = 1;
    {
        bench::Surrogate model;
        bench::MemorySampler sampler;
        std::vector<std::unique_ptr<bench::Executor>> ways;
        ways.push_back(bench::make_stream_executor(model));
        ways.push_back(bench::make_graph_executor(model));

        for (auto &way : ways) {
            time_per_step(*way, 3);
            model.reset();
            const double reported = time_per_step(*way, steps);
            const double seen = device_time_per_step(model.stamps(steps));
            wrong += differing(model.state(), steps);
            off = std::max({off, reported / seen, seen / reported});
            std::fprintf(stderr, "%-8s %.3f ms a step, at least %zu MiB free\n", way->name().c_str(), reported,
                         sampler.lowest_free() >> 20);
        }
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (off > 1.5) std::printf("SLOW %.2f\n", off);
    else std::printf("DONE\n");
    return wrong != 0 || off > 1.5;
}
