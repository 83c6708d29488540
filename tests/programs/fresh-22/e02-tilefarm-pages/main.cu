#include "farm.cuh"

using namespace tilefarm;

static void reference(const Scene& scene, std::vector<int>& frame)
{
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            int tile = (y / kTile) * (kSide / kTile) + x / kTile;
            int hits = 0;
            for (int i = tile; i < scene.count(); i += kTiles) {
                const float4& s = scene.host()[i].shape;
                if ((s.x - x) * (s.x - x) + (s.y - y) * (s.y - y) <= s.z * s.z) ++hits;
            }
            frame[y * kSide + x] += hits;
        }
}

int main()
{
    constexpr std::size_t kFirst = 16384, kMost = 4 * kFirst;

    BlockStore store(64 << 10);
    store.reserve(kSide * kSide * sizeof(int));
    store.reserve(256);
    for (std::size_t c = kFirst; c <= kMost; c *= 2) store.reserve(c * sizeof(Sphere));

    std::vector<int> expected(kSide * kSide, 0);
    int wrong = 0;
    {
        Scene scene(store, kFirst, kMost);
        TileFarm farm(store, 8);
        farm.open();

        const std::size_t arrivals[] = {12000, 12000, 20000};
        unsigned seed = 7;
        for (std::size_t spheres : arrivals) {
            scene.add(spheres, seed++);
            farm.render(scene);
            reference(scene, expected);
            std::printf("wave of %d spheres\n", scene.count());
        }
        farm.close();
        store.trim();

        std::vector<int> got = farm.frame();
        for (std::size_t i = 0; i < got.size(); ++i)
            if (got[i] != expected[i]) ++wrong;
    }

    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
