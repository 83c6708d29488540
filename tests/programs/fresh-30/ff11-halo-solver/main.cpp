#include "hs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM = 2, STEPS = 12 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int march(hs_solver* s, unsigned active, int steps, double* elapsed)
{
    const double begin = seconds();
    for (int i = 0; i < steps; ++i) HS_DO(hs_step(s, active));
    *elapsed = seconds() - begin;
    return HS_OK;
}

/* The chain for one column of cells, on the host. */
typedef struct column {
    uint32_t cell[HS_MAX_BLOCKS][16];
    uint32_t send[HS_MAX_BLOCKS][2];
    uint32_t ghost[HS_MAX_BLOCKS][2];
} column;

static void column_step(column* k, const hs_params* prm, unsigned active)
{
    for (int b = 0; b < prm->blocks; ++b) {
        if (!(active >> b & 1u)) continue;
        uint32_t below = k->ghost[b][HS_LOW];
        for (int p = 0; p < prm->planes; ++p) {
            const uint32_t mid = k->cell[b][p];
            const uint32_t above = p + 1 < prm->planes ? k->cell[b][p + 1] : k->ghost[b][HS_HIGH];
            k->cell[b][p] = mid * 3u + below + (above >> 1);
            below = mid;
        }
        k->send[b][HS_LOW] = k->cell[b][0];
        k->send[b][HS_HIGH] = k->cell[b][prm->planes - 1];
    }
    for (int b = 0; b + 1 < prm->blocks; ++b) {
        k->ghost[b][HS_HIGH] = k->send[b + 1][HS_LOW];
        k->ghost[b + 1][HS_LOW] = k->send[b][HS_HIGH];
    }
}

static int compare(hs_solver* s, unsigned single, unsigned all, int* wrong)
{
    const hs_params* prm = &s->prm;
    const size_t cells = (size_t)prm->plane_cells, per_block = cells * prm->planes;
    uint32_t* got = (uint32_t*)malloc(sizeof(uint32_t) * per_block * prm->blocks);
    if (!got) return HS_ENOMEM;
    for (int b = 0; b < prm->blocks; ++b) HS_DO(hs_fetch(s, b, got + b * per_block));
    *wrong = 0;
    for (size_t c = 0; c < cells; c += 61) {
        column k;
        memset(&k, 0, sizeof(k));
        for (int b = 0; b < prm->blocks; ++b)
            for (int p = 0; p < prm->planes; ++p)
                k.cell[b][p] = (uint32_t)((uint32_t)((p + 1) * cells + c) * 2654435761u) ^ (uint32_t)(b * 977);
        for (int i = 0; i < WARM; ++i) column_step(&k, prm, all);
        for (int i = 0; i < STEPS; ++i) column_step(&k, prm, single);
        for (int i = 0; i < STEPS; ++i) column_step(&k, prm, all);
        for (int b = 0; b < prm->blocks; ++b)
            for (int p = 0; p < prm->planes; ++p) *wrong += got[b * per_block + p * cells + c] != k.cell[b][p];
    }
    free(got);
    return HS_OK;
}

static int run(hs_solver* s, double* ratio, int* wrong)
{
    hs_params prm;
    hs_params_default(&prm);
    HS_DO(hs_create(s, &prm));
    const unsigned single = 1u << 1, all = (1u << prm.blocks) - 1u;
    double warm, one, every;
    HS_DO(march(s, all, WARM, &warm));
    HS_DO(march(s, single, STEPS, &one));
    HS_DO(march(s, all, STEPS, &every));
    *ratio = every / one;
    return compare(s, single, all, wrong);
}

int main(void)
{
    static hs_solver solver;
    double ratio = 0.0;
    int wrong = 0;
    const int rc = run(&solver, &ratio, &wrong);
    hs_destroy(&solver);
    if (rc == HS_ECUDA)
        printf("ERROR %s\n", cudaGetErrorName(solver.last));
    else if (rc != HS_OK)
        printf("ERROR hs%d\n", rc);
    else if (wrong)
        printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        printf("SLOW %.2f\n", ratio);
    else
        printf("DONE\n");
    return rc == HS_OK ? 0 : 1;
}
