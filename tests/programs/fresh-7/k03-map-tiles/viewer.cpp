#include <vector>

#include "tiles.h"

/* A camera path over the map: the ids of the tiles that come into view, in turn. */
static const int path[] = {11, 12, 11, 13, 14, 12, 21, 22, 13, 22};

int main(void)
{
    tile_cache cache;
    tile_cache_open(&cache);

    unsigned *canvas;
    OK(cudaMalloc((void **)&canvas, sizeof(unsigned) * TILE_PIXELS));
    OK(cudaMemset(canvas, 0, sizeof(unsigned) * TILE_PIXELS));
    OK(cudaDeviceSynchronize());

    std::vector<unsigned> ref(TILE_PIXELS, 0u);
    for (int id : path) {
        const unsigned *tile = tile_cache_want(&cache, id);
        blend_tile_async(canvas, tile, cache.stream);
        for (int i = 0; i < TILE_PIXELS; i++)
            ref[i] = ref[i] * 3u + (unsigned)(i ^ (id * 2654435761u));
    }

    OK(cudaStreamSynchronize(cache.stream));
    std::vector<unsigned> got(TILE_PIXELS);
    OK(cudaMemcpy(got.data(), canvas, sizeof(unsigned) * TILE_PIXELS, cudaMemcpyDeviceToHost));
    long wrong = 0;
    for (int i = 0; i < TILE_PIXELS; i++)
        wrong += got[i] != ref[i];
    OK(cudaFree(canvas));
    tile_cache_close(&cache);

    if (wrong)
        printf("WRONG %ld\n", wrong);
    else
        printf("DONE\n");
    return wrong != 0;
}
