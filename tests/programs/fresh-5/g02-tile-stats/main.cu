// Mosaic statistics: mean brightness of groups of tiles after a radiometric correction.
#include <cmath>
#include <cstdio>

#include "task_service.cuh"

using namespace mosaic;

static int run() {
    constexpr std::size_t kTile = 256 * 1024;
    constexpr int kGroups = 5, kPerGroup = 4;

    BlockPool pool(PoolOptions{});
    pool.reserve(kTile * sizeof(float), kPerGroup);

    TaskService service;
    service.start();

    int wrong = 0;
    for (int g = 0; g < kGroups; ++g) {
        const int tiles = g == 0 ? kPerGroup : 2;
        float* tile[kPerGroup] = {};
        unsigned ticket[kPerGroup] = {};
        for (int t = 0; t < tiles; ++t) {
            tile[t] = static_cast<float*>(pool.acquire(kTile * sizeof(float)));
            service.submit(Op::Fill, tile[t], kTile, float(g + t));
            service.submit(Op::Affine, tile[t], kTile, 2.f, 1.f);
            ticket[t] = service.submit(Op::Sum, tile[t], kTile);
        }
        for (int t = 0; t < tiles; ++t) {
            const double mean = service.wait(ticket[t]) / double(kTile);
            if (std::fabs(mean - (2.0 * (g + t) + 1.0)) > 1e-6) ++wrong;
            pool.release(tile[t]);
        }
    }
    service.stop();
    pool.purge();
    std::printf("groups: %d, trimmed blocks: %d\n", kGroups, pool.trimmed());
    return wrong;
}

int main() {
    try {
        const int wrong = run();
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
