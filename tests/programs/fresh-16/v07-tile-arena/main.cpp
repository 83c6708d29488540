#include "hillshade.h"

#include <cstdio>

int main()
{
    constexpr int kEdge = 128;
    constexpr int kTiles = 12;
    constexpr int kPixels = kEdge * kEdge;

    tiles::device_arena arena;
    tiles::lane_executor executor(arena, 4);

    int* mosaic = nullptr;
    tiles::ensure(cudaMalloc(&mosaic, kTiles * kPixels * sizeof(int)));
    tiles::warm(executor, arena, tiles::tile{0, kEdge, mosaic});

    for (int id = 0; id < kTiles; ++id) {
        const tiles::tile t{id, kEdge, mosaic + id * kPixels};
        executor.submit([t](tiles::task_context& ctx) { tiles::render(ctx, t); });
    }
    executor.dispatch();
    executor.wait();

    std::vector<int> got(kTiles * kPixels);
    tiles::ensure(cudaMemcpy(got.data(), mosaic, got.size() * sizeof(int),
                             cudaMemcpyDeviceToHost));
    tiles::ensure(cudaFree(mosaic));

    long wrong = 0;
    for (int id = 0; id < kTiles; ++id)
        for (int i = 0; i < kPixels; ++i) {
            const int next = i + 1 < kPixels ? i + 1 : i;
            wrong += got[id * kPixels + i] !=
                     tiles::shade(tiles::height_at(id, i), tiles::height_at(id, next));
        }
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
