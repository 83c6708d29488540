// Image compressor, first pass: entropy models for all tiles of a page, four tiles at a time.
#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>
#include "histogram.cuh"

namespace {

constexpr int kTileBytes = 1 << 20;
constexpr int kTiles = 16;
constexpr int kLanes = 4;

struct Pinned {
    template <class T>
    static T* make(std::size_t n)
    {
        T* p = nullptr;
        CHECK(cudaMallocHost(&p, n * sizeof(T)));
        return p;
    }
    void operator()(void* p) const { cudaFreeHost(p); }
};

template <class T>
using pinned_ptr = std::unique_ptr<T[], Pinned>;

struct Result {
    pinned_ptr<uint32_t> counts{Pinned::make<uint32_t>(kSymbols)};
    pinned_ptr<uint8_t> lengths{Pinned::make<uint8_t>(kSymbols)};
};

struct Lane {
    cudaStream_t stream = nullptr;
    uint8_t* tile = nullptr;
    SymbolModel model;
    Lane()
    {
        CHECK(cudaStreamCreate(&stream));
        CHECK(cudaMalloc(&tile, kTileBytes));
    }
    ~Lane()
    {
        cudaFree(tile);
        cudaStreamDestroy(stream);
    }
    void submit(const uint8_t* host, Result& into)
    {
        CHECK(cudaMemcpyAsync(tile, host, kTileBytes, cudaMemcpyHostToDevice, stream));
        model.build(tile, kTileBytes, stream);
        model.fetch(into.counts.get(), into.lengths.get(), stream);
    }
};

template <class F>
double milliseconds(F&& work)
{
    const auto t0 = std::chrono::steady_clock::now();
    work();
    CHECK(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
}

int mismatches(const uint8_t* tile, const Result& result)
{
    std::vector<uint32_t> counts(kSymbols, 0);
    for (int i = 0; i < kTileBytes; ++i) ++counts[tile[i]];
    int wrong = 0;
    for (int s = 0; s < kSymbols; ++s) {
        int bits = 1;
        while (bits < 24 && (counts[s] << bits) < uint32_t(kTileBytes)) ++bits;
        wrong += counts[s] != result.counts[s];
        wrong += bits != result.lengths[s];
    }
    return wrong;
}

}  // namespace

int main()
{
    pinned_ptr<uint8_t> page(Pinned::make<uint8_t>(std::size_t(kTileBytes) * kTiles));
    for (int t = 0; t < kTiles; ++t)
        for (int i = 0; i < kTileBytes; ++i)
            page[std::size_t(t) * kTileBytes + i] = static_cast<uint8_t>(((i * 13) >> 3) & (i >> (t & 7)));

    std::vector<std::unique_ptr<Lane>> lanes;
    for (int l = 0; l < kLanes; ++l) lanes.push_back(std::make_unique<Lane>());
    std::vector<Result> results(kTiles);

    for (int l = 0; l < kLanes; ++l) lanes[l]->submit(page.get(), results[l]);
    CHECK(cudaDeviceSynchronize());

    const double single = milliseconds([&] { lanes[0]->submit(page.get(), results[0]); });
    const double batch = milliseconds([&] {
        for (int t = 0; t < kTiles; ++t)
            lanes[t % kLanes]->submit(page.get() + std::size_t(t) * kTileBytes, results[t]);
    });

    int wrong = 0;
    for (int t = 0; t < kTiles; ++t) wrong += mismatches(page.get() + std::size_t(t) * kTileBytes, results[t]);
    const double ratio = batch / (single * kTiles / kLanes);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
