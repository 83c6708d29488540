#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

#include "lane.h"

using namespace video;

namespace {

constexpr int kLanes = 4;
constexpr int kFrames = 48;

uint64_t fold(const int* thumb) {
    uint64_t h = 14695981039346656037ull;
    for (int i = 0; i < kThumb; ++i) h = (h ^ static_cast<uint32_t>(thumb[i])) * 1099511628211ull;
    return h;
}

uint64_t expected(int frame) {
    std::vector<uint8_t> coded(kCoded);
    for (int i = 0; i < kCoded; ++i) coded[static_cast<size_t>(i)] = coded_byte(frame, i);
    std::vector<int> thumb(kThumb, 0);
    for (int i = 0; i < kLuma; ++i) {
        thumb[static_cast<size_t>(i / 16)] +=
            luma_of(coded[static_cast<size_t>(i % kCoded)], coded[static_cast<size_t>((i * 7 + 1) % kCoded)], i);
    }
    return fold(thumb.data());
}

class Player {
public:
    Player() : domain_(MemoryDomain::Policy{}), digests_(kFrames, 0) {
        for (int l = 0; l < kLanes; ++l) {
            lanes_.push_back(std::make_unique<Lane>(
                domain_, [this](int f, const int* t) { digests_[static_cast<size_t>(f)] = fold(t); }));
        }
    }

    double play(int frames) {
        const auto t0 = std::chrono::steady_clock::now();
        for (int f = 0; f < frames; ++f) lanes_[static_cast<size_t>(f % kLanes)]->take(f);
        for (auto& l : lanes_) l->flush();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
    }

    const std::vector<uint64_t>& digests() const { return digests_; }

private:
    MemoryDomain domain_;
    std::vector<uint64_t> digests_;
    std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace

int main() {
    try {
        std::vector<uint64_t> got;
        double ms = 0;
        {
            Player player;
            player.play(2 * kLanes);
            ms = player.play(kFrames);
            got = player.digests();
        }
        long bad = 0;
        for (int f = 0; f < kFrames; ++f) bad += got[static_cast<size_t>(f)] != expected(f);
        if (bad) {
            std::printf("WRONG %ld\n", bad);
            return 1;
        }
        const double honest = (kDecodeMs + kScaleMs) * kFrames / kLanes;
        if (ms > 1.5 * honest) {
            std::printf("SLOW %.2f\n", ms / honest);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
