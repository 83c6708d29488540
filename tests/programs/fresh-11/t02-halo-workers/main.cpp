// Two workers share one card, each owns half of a lattice and trades its rim with the other.
#include <array>
#include <thread>
#include "worker.cuh"

static std::array<std::vector<uint32_t>, 2> reference(uint32_t steps)
{
    std::array<std::vector<uint32_t>, 2> half;
    for (uint32_t r = 0; r < 2; ++r) {
        half[r].resize(kCells);
        for (uint32_t i = 0; i < kCells; ++i) half[r][i] = i * 31u + r;
    }
    for (uint32_t s = 0; s < steps; ++s) {
        std::array<std::vector<uint32_t>, 2> rim;
        for (int r = 0; r < 2; ++r) rim[r].assign(half[r].begin(), half[r].begin() + kHalo);
        for (int r = 0; r < 2; ++r) {
            for (auto& c : half[r]) c = c * 1664525u + 1013904223u;
            for (int i = 0; i < kHalo; ++i) half[r][i] ^= rim[1 - r][i];
        }
    }
    return half;
}

int main()
{
    constexpr uint32_t steps = 6;
    Worker::preload();
    prof::Profile profile;
    Link link;
    Worker west(0, link, profile), east(1, link, profile);
    west.connect(east);
    east.connect(west);

    std::thread a([&] { west.run(steps); });
    std::thread b([&] { east.run(steps); });
    a.join();
    b.join();
    profile.print(stderr);

    const auto expected = reference(steps);
    std::size_t wrong = 0;
    for (int r = 0; r < 2; ++r) {
        const auto got = (r == 0 ? west : east).cells();
        for (int i = 0; i < kCells; ++i) wrong += got[i] != expected[r][i];
    }
    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
