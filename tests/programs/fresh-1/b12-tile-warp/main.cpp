#include "warp.h"

#include <chrono>
#include <vector>

int main()
{
    const unsigned tiles = 28;
    warp_engine w;
    warp_open(&w, tiles);

    // the first row of tiles fills the lanes, the rest of the map is timed
    unsigned tile = 0;
    for (; tile < LANES; ++tile)
        warp_tile(&w, tile);
    warp_wait(&w);

    auto t0 = std::chrono::steady_clock::now();
    for (; tile < tiles; ++tile)
        warp_tile(&w, tile);
    warp_wait(&w);
    auto t1 = std::chrono::steady_clock::now();

    std::vector<unsigned> sums(tiles);
    CU(cuMemcpyDtoH(sums.data(), w.sums, tiles * sizeof(unsigned)));
    warp_close(&w);

    int wrong = 0;
    for (unsigned t = 0; t < tiles; ++t)
        if (sums[t] != warp_expected(t))
            ++wrong;

    double spent = std::chrono::duration<double, std::milli>(t1 - t0).count();
    double plan = (tiles - LANES) * (TILE_NS * 1e-6) / LANES;
    printf("%u tiles in %.1f ms, plan %.1f ms\n", tiles - LANES, spent, plan);
    if (wrong)
        printf("WRONG %d\n", wrong);
    else if (spent / plan > 1.5)
        printf("SLOW %.2f\n", spent / plan);
    else
        printf("DONE\n");
    return 0;
}
