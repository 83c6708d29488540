// Standardises the ring widths of a collection of oak cores, several cores at a time.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>
#include "detrend.cuh"

namespace {

using namespace dendro;
using Clock = std::chrono::steady_clock;

constexpr int kLanes = 4;
constexpr int kRounds = 5;
constexpr int kCores = kLanes * kRounds;

struct PinnedDelete {
    void operator()(float* p) const { cudaFreeHost(p); }
};
using Shelf = std::unique_ptr<float[], PinnedDelete>;

Shelf makeShelf(std::size_t count) {
    float* p = nullptr;
    tryCuda(cudaMallocHost(&p, sizeof(float) * count));
    return Shelf(p);
}

float widthOf(int core, int year) { return growth(year) * (0.8f + 0.01f * static_cast<float>((core * 13 + year) % 41)); }

class Archive {
public:
    Archive() : widths_(makeShelf(static_cast<std::size_t>(kCores) * kYears)), index_(makeShelf(static_cast<std::size_t>(kCores) * kYears)) {
        for (int i = 0; i < kLanes; ++i) lanes_.push_back(std::make_unique<Lane>());
        for (int c = 0; c < kCores; ++c)
            for (int y = 0; y < kYears; ++y) widths_[static_cast<std::size_t>(c) * kYears + y] = widthOf(c, y);
    }

    void process(int core) {
        const std::size_t at = static_cast<std::size_t>(core) * kYears;
        detrender_.enqueue(*lanes_[core % kLanes], widths_.get() + at, index_.get() + at);
    }

    void wait() const {
        for (auto& lane : lanes_) lane->wait();
    }

    int faults() const {
        int bad = 0;
        for (int c = 0; c < kCores; ++c)
            for (int y = 0; y < kYears; ++y)
                if (!(std::fabs(index_[static_cast<std::size_t>(c) * kYears + y] - widthOf(c, y) / growth(y)) < 1e-4f)) ++bad;
        return bad;
    }

private:
    Shelf widths_, index_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    Detrender detrender_;
};

}  // namespace

int main() {
    try {
        Archive archive;
        for (int c = 0; c < kLanes; ++c) archive.process(c);
        archive.wait();

        const auto begin = Clock::now();
        for (int c = 0; c < kCores; ++c) archive.process(c);
        archive.wait();
        const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();

        const double ideal = kRounds * static_cast<double>(kFitNs + kIndexNs) * 1e-6;
        const int bad = archive.faults();
        if (bad) std::printf("WRONG %d\n", bad);
        else if (ms / ideal > 1.5) std::printf("SLOW %.2f\n", ms / ideal);
        else std::printf("DONE\n");
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
    return 0;
}
