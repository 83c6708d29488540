// codecbench: steady-state time of each block codec
#include "bench.h"
#include "codecs.cuh"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <tuple>

using namespace bench;

namespace {

constexpr int kCount = 1 << 18;

class Bench {
public:
    Bench()
        : lanes_{make_stream(), make_stream()},
          src_{make_device<int>(kCount)}, dst_{make_device<int>(kCount)},
          host_{make_pinned<int>(kCount)}, back_{make_pinned<int>(kCount)}
    {
        for (int i = 0; i < kCount; ++i)
            host_[i] = (i * 2654435761u >> 12) % 5000 - 2500;
        must(cudaMemcpy(src_.get(), host_.get(), kCount * sizeof(int), cudaMemcpyHostToDevice));
        must(cudaDeviceSynchronize());
    }

    Row run(const codec::Any &what)
    {
        warm(what);
        const auto wall = wall_clock(what);
        const auto events = device_clock(what);
        return {events, wall, compare(what)};
    }

private:
    codec::Block block() const { return {src_.get(), dst_.get(), kCount}; }

    void warm(const codec::Any &what)
    {
        codec::encode(what, block(), lanes_.compute.get());
        must(cudaGetLastError());
        must(cudaStreamSynchronize(lanes_.compute.get()));
    }

    double wall_clock(const codec::Any &what)
    {
        using clock = std::chrono::steady_clock;
        const auto begin = clock::now();
        codec::encode(what, block(), lanes_.compute.get());
        must(cudaGetLastError());
        must(cudaStreamSynchronize(lanes_.compute.get()));
        return std::chrono::duration<double, std::milli>(clock::now() - begin).count();
    }

    std::optional<float> device_clock(const codec::Any &what)
    {
        const auto &[compute, transfer] = lanes_;
        const auto [begin, end] = std::tuple{make_event(), make_event()};

        must(cudaEventRecord(begin.get(), compute.get()));
        codec::encode(what, block(), compute.get());
        must(cudaGetLastError());
        must(cudaEventRecord(end.get(), transfer.get()));

        for (const auto *e : {&begin, &end})
            must(cudaEventSynchronize(e->get()));

        float ms{};
        if (cudaEventElapsedTime(&ms, begin.get(), end.get()) != cudaSuccess)
            return std::nullopt;
        return ms;
    }

    long compare(const codec::Any &what)
    {
        must(cudaStreamSynchronize(lanes_.compute.get()));
        must(cudaMemcpyAsync(back_.get(), dst_.get(), kCount * sizeof(int),
                             cudaMemcpyDeviceToHost, lanes_.transfer.get()));
        must(cudaStreamSynchronize(lanes_.transfer.get()));
        long bad = 0;
        for (int i = 0; i < kCount; ++i)
            bad += back_[i] != codec::reference(what, host_.get(), i);
        return bad;
    }

    Lanes       lanes_;
    Device<int> src_, dst_;
    Pinned<int> host_, back_;
};

struct Verdict {
    long   mismatches = 0;
    double worst = 1.0;
};

Verdict summarise(const std::vector<std::pair<std::string, Row>> &table)
{
    Verdict v;
    for (const auto &[label, row] : table) {
        const auto &[reported, wall, mismatches] = row;
        v.mismatches += mismatches;
        const double shown = std::max<double>(reported.value_or(0.0f), 1e-3);
        const double ratio = std::max(wall / shown, shown / wall);
        v.worst = std::max(v.worst, ratio);
        std::fprintf(stderr, "%-8s %9.3f ms  %7.1f M/s\n", label.c_str(), shown, kCount / shown * 1e-3);
    }
    return v;
}

} // namespace

int main()
{
    const std::vector<codec::Any> suite{
        codec::Delta{4}, codec::ZigZag{}, codec::Plane{3, 0x1f}, codec::Delta{1},
    };

    try {
        Bench b;
        std::vector<std::pair<std::string, Row>> table;
        for (const auto &c : suite)
            table.emplace_back(codec::name(c), b.run(c));

        if (const auto [bad, worst] = summarise(table); bad)
            std::printf("WRONG %ld\n", bad);
        else if (worst > 1.5)
            std::printf("SLOW %.2f\n", worst);
        else
            std::puts("DONE");
    } catch (const Failure &f) {
        std::printf("ERROR %s\n", cudaGetErrorName(f.code));
    }
    return 0;
}
