// Load test of the batching server: throughput of a burst over several lanes
// against the latency of a lone batch.
#include <chrono>
#include <random>

#include "engine.h"

using Clock = std::chrono::steady_clock;
static std::mt19937 rng(4711);

static srv::Prompt make_prompt()
{
    srv::Prompt p;
    for (auto &t : p) t = rng() & 0xffff;
    return p;
}

// Sends the prompts at once, waits for all replies; seconds it took.
static double burst(srv::BatchEngine &engine, int batches, int &wrong)
{
    std::vector<srv::Prompt> prompts(batches * srv::kBatch);
    for (auto &p : prompts) p = make_prompt();

    std::vector<std::future<srv::Reply>> replies;
    const auto start = Clock::now();
    for (const auto &p : prompts) replies.push_back(engine.submit(p));
    for (auto &r : replies) r.wait();
    const std::chrono::duration<double> took = Clock::now() - start;

    for (std::size_t i = 0; i < prompts.size(); ++i) {
        srv::Reply want;
        srv::reference_model(prompts[i].data(), want.data());
        if (replies[i].get() != want) ++wrong;
    }
    return took.count();
}

int main()
{
    srv::BatchEngine engine({});
    int wrong = 0;
    burst(engine, engine.lanes(), wrong);

    const double lone = burst(engine, 1, wrong);
    const int rounds = 4;
    const double took = burst(engine, rounds * engine.lanes(), wrong);
    const double ratio = took / (rounds * lone);

    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return wrong != 0 || ratio > 1.5;
}
