#include <array>
#include <chrono>
#include <memory>
#include <vector>

#include "lane.cuh"

namespace {

constexpr int kBins = 256;
constexpr int kLanes = 4;
constexpr int kTiles = 16;

using SurveyLane = Lane<kBins>;
using Crew = std::vector<std::unique_ptr<SurveyLane>>;

struct PinnedDeleter {
    void operator()(unsigned* p) const { cudaFreeHost(p); }
};
using Catalogue = std::unique_ptr<unsigned[], PinnedDeleter>;

Catalogue makeCatalogue(int tiles)
{
    unsigned* p = nullptr;
    REQUIRE(cudaMallocHost(&p, tiles * SurveyLane::kBytes));
    return Catalogue(p);
}

double survey(Crew& crew, int lanes, int tiles, unsigned* catalogue)
{
    const auto t0 = std::chrono::steady_clock::now();
    for (int tile = 0; tile < tiles; ++tile)
        crew[tile % lanes]->process(tile, catalogue + size_t(tile) * kBins);
    for (int i = 0; i < lanes; ++i) crew[i]->finish();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
}

long audit(const unsigned* catalogue)
{
    long wrong = 0;
    for (int tile = 0; tile < kTiles; ++tile) {
        std::array<unsigned, kBins> want{};
        for (int i = 0; i < plate::kPixels; ++i) ++want[plate::pixel(tile, i) % kBins];
        for (int b = 0; b < kBins; ++b) wrong += want[b] != catalogue[size_t(tile) * kBins + b];
    }
    return wrong;
}

}  // namespace

int main()
{
    Crew crew;
    for (int i = 0; i < kLanes; ++i) crew.push_back(std::make_unique<SurveyLane>());
    Catalogue catalogue = makeCatalogue(kTiles);

    survey(crew, 1, 1, catalogue.get());
    const double oneLane = survey(crew, 1, kTiles / kLanes, catalogue.get());
    const double allLanes = survey(crew, kLanes, kTiles, catalogue.get());
    const double ratio = allLanes / oneLane;

    if (const long wrong = audit(catalogue.get()))
        std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
