// Throughput table of the vector library: each expression runs a few times after a first try.
#include <algorithm>
#include "bench.h"
#include "lazy.cuh"

namespace {

constexpr int kLength = 1 << 20;
constexpr int kRuns = 6;

template <class E>
bench::Row measure(const char* name, const lazy::Engine& engine, lazy::Vector& out, const lazy::Expr<E>& expr)
{
    engine.assign(out, expr);
    engine.sync();

    bench::Stopwatch watch(engine.stream());
    lazy::verify(watch.start());
    for (int i = 0; i < kRuns; ++i) engine.assign(out, expr);
    lazy::verify(watch.stop());
    return {name, watch.ms() / kRuns};
}

// The same by the timestamps of the device.
template <class E>
double device_ms(const lazy::Engine& engine, lazy::Vector& out, const lazy::Expr<E>& expr)
{
    cudaEvent_t begin, end;
    lazy::verify(cudaEventCreate(&begin));
    lazy::verify(cudaEventCreate(&end));
    engine.sync();
    lazy::verify(cudaEventRecord(begin, engine.stream()));
    for (int i = 0; i < kRuns; ++i) engine.assign(out, expr);
    lazy::verify(cudaEventRecord(end, engine.stream()));
    lazy::verify(cudaEventSynchronize(end));
    float ms = 0;
    lazy::verify(cudaEventElapsedTime(&ms, begin, end));
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return ms / kRuns;
}

template <class F>
std::size_t count_wrong(const lazy::Vector& out, F&& expected)
{
    const auto host = out.host();
    std::size_t wrong = 0;
    for (int i = 0; i < out.size(); ++i) wrong += host[i] != expected(i);
    return wrong;
}

}  // namespace

int main()
{
    std::vector<float> ha(kLength), hb(kLength);
    for (int i = 0; i < kLength; ++i) {
        ha[i] = static_cast<float>(i % 97);
        hb[i] = static_cast<float>(i % 31);
    }
    lazy::Engine engine;
    lazy::Vector a(ha), b(hb), out(ha);
    const auto axpy = 3.0f * a.ref() + b.ref();
    const auto poly = a.ref() * a.ref() + 2.0f * (a.ref() * b.ref()) + b.ref() * b.ref();

    double off = 1.0;
    std::size_t wrong = 0;
    auto judge = [&](const bench::Row& row, double device) {
        std::fprintf(stderr, "%-8s %9.4f ms\n", row.name.c_str(), row.ms_per_run);
        off = std::max({off, device / row.ms_per_run, row.ms_per_run / device});
    };

    bench::Row row = measure("axpy", engine, out, axpy);
    judge(row, device_ms(engine, out, axpy));
    wrong += count_wrong(out, [&](int i) { return 3.0f * ha[i] + hb[i]; });

    row = measure("poly", engine, out, poly);
    judge(row, device_ms(engine, out, poly));
    wrong += count_wrong(out, [&](int i) { return ha[i] * ha[i] + 2.0f * (ha[i] * hb[i]) + hb[i] * hb[i]; });

    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else if (off > 1.5)
        std::printf("SLOW %.1f\n", off);
    else
        std::printf("DONE\n");
    return 0;
}
