#include <chrono>
#include <vector>

#include "rendition.cuh"

using namespace media;

int main() {
    constexpr int kSegments = 6;
    constexpr unsigned long long kEncodeNs = 40'000'000ull;

    std::vector<Segment> segments;
    for (int i = 0; i < kSegments; ++i)
        segments.push_back({i, std::size_t(20000 + 1500 * i)});

    std::vector<Rendition> ladder;
    ladder.reserve(5);
    // A short one-segment rendition opens the device pipeline before traffic arrives.
    ladder.emplace_back(RenditionConfig{"probe", 1, 1'000'000ull}, 1);
    ladder.front().encode(Segment{0, 4096});
    ladder.front().flush();
    for (int i = 0; i < 4; ++i)
        ladder.emplace_back(RenditionConfig{"h264-" + std::to_string(360 << i), i + 2, kEncodeNs},
                            kSegments);
    expect(cudaDeviceSynchronize());

    const auto t0 = std::chrono::steady_clock::now();
    for (const auto& seg : segments)
        for (std::size_t r = 1; r < ladder.size(); ++r) ladder[r].encode(seg);
    for (auto& r : ladder) r.flush();
    const auto t1 = std::chrono::steady_clock::now();

    int bad = 0;
    for (std::size_t r = 1; r < ladder.size(); ++r)
        bad += !ladder[r].verify(kSegments, segments.data());
    if (bad) {
        std::printf("WRONG %d\n", bad);
        return 1;
    }
    // All rungs of the ladder are expected to advance together.
    const double wall = std::chrono::duration<double, std::nano>(t1 - t0).count();
    const double ratio = wall / (double(kEncodeNs) * kSegments);
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
