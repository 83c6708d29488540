// Throughput benchmark of the column scan: a pool of workers, a session each, runs a batch of
// counting queries.
#include "engine.h"
#include "task_pool.h"

#include <algorithm>
#include <chrono>

namespace {

constexpr int kWorkers = 4;
constexpr int kQueries = 24;
constexpr int kRows = 1 << 20;

scan::Predicate predicate(int q) { return {q * 20, q * 20 + 300}; }

struct Result {
    double milliseconds = 0.0;
    double rows_per_second = 0.0;
};

class Benchmark {
public:
    Benchmark(scan::Engine& engine, scan::TaskPool& pool) : engine_(engine), pool_(pool) {}

    void warm_up()
    {
        batch();
        pool_.wait_idle();
        engine_.reset();
    }

    Result measure()
    {
        using clock = std::chrono::steady_clock;
        Result r;
        const auto begin = clock::now();
        batch();
        pool_.wait_idle();
        const auto end = clock::now();
        r.milliseconds = std::chrono::duration<double, std::milli>(end - begin).count();
        r.rows_per_second = 1e3 * kQueries * static_cast<double>(kRows) / r.milliseconds;
        return r;
    }

private:
    void batch()
    {
        for (int q = 0; q < kQueries; ++q)
            pool_.submit([this, q](int worker) { engine_.count(worker, q, predicate(q)); });
    }

    scan::Engine& engine_;
    scan::TaskPool& pool_;
};

}  // namespace

int main()
{
    std::vector<int> column(kRows);
    for (int i = 0; i < kRows; ++i)
        column[i] = static_cast<int>((i * 2654435761u) >> 16) % 1000;

    scan::Engine engine(column, kWorkers, kQueries);
    scan::TaskPool pool(kWorkers);
    Benchmark bench(engine, pool);
    bench.warm_up();
    const Result result = bench.measure();
    std::printf("%d queries: %.3f ms, %.3g rows/s\n", kQueries, result.milliseconds, result.rows_per_second);
    const auto hits = engine.results();
    int wrong = 0;
    for (int q = 0; q < kQueries; ++q) {
        const auto p = predicate(q);
        const auto want = std::count_if(column.begin(), column.end(),
                                        [p](int v) { return v >= p.low && v < p.high; });
        wrong += hits[q] != static_cast<unsigned>(want);
    }

    const scan::Span span = engine.span();
    const double busy = 1e-6 * static_cast<double>(span.end - span.begin);
    const double ratio = std::max(busy / result.milliseconds, result.milliseconds / busy);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
