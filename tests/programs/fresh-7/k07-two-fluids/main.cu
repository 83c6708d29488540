#include "fluids.cuh"

#include <stdio.h>
#include <stdlib.h>

static int finish(const char *error)
{
    printf("ERROR %s\n", error);
    return 1;
}

int main(void)
{
    sim_options opt = {cudaStreamDefault, 40000, 90000};
    sim s;
    const char *e;
    if ((e = sim_create(&s, &opt)))
        return finish(e);

    uint32_t *oil = (uint32_t *)calloc(CELLS, sizeof *oil);
    uint32_t *water = (uint32_t *)calloc(CELLS, sizeof *water);
    uint32_t *swap = (uint32_t *)calloc(CELLS, sizeof *swap);
    uint32_t *got = (uint32_t *)calloc(2 * CELLS, sizeof *got);
    long wrong = 0;

    for (int step = 0; step < STEPS; step++) {
        uint32_t residual = 0, expected = 0;
        if ((e = sim_advance(&s, step, &residual)))
            return finish(e);
        for (uint32_t c = 0; c < CELLS; c++) {
            oil[c] = relax_cell(oil[c], c * 40503u + (uint32_t)step, 3u);
            water[c] = relax_cell(water[c], c * 30011u ^ ((uint32_t)step << 9), 5u);
        }
        for (uint32_t c = 0; c < CELLS; c++) {
            swap[c] = (oil[c] >> 3) ^ (water[CELLS - 1 - c] >> 5);
            expected += swap[c] & 0xffu;
        }
        for (uint32_t c = 0; c < CELLS; c++) {
            oil[c] += swap[c];
            water[c] -= swap[c];
        }
        wrong += residual != expected;
    }

    if ((e = sim_read(&s, got, got + CELLS)))
        return finish(e);
    for (uint32_t c = 0; c < CELLS; c++) {
        wrong += got[c] != oil[c];
        wrong += got[CELLS + c] != water[c];
    }
    sim_destroy(&s);
    free(oil);
    free(water);
    free(swap);
    free(got);
    if (wrong)
        printf("WRONG %ld\n", wrong);
    else
        printf("DONE\n");
    return wrong != 0;
}
