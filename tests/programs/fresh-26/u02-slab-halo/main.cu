#include "slab.h"

#include <math.h>
#include <string.h>

float *g_field[NRANK][2];

#define GROWS (NRANK * NY)

static float h_world[2][GROWS][NX];
static float h_slab[ROWS][NX];

static void world_init(void)
{
    unsigned x = 12345u;
    for (int j = 0; j < GROWS; ++j)
        for (int i = 0; i < NX; ++i) {
            x = x * 1664525u + 1013904223u;
            h_world[0][j][i] = (float)(x >> 24);
        }
}

static void world_reference(void)
{
    for (int t = 0; t < NSTEP; ++t) {
        const int c = t & 1, n = c ^ 1;
        for (int j = 0; j < GROWS; ++j)
            for (int i = 0; i < NX; ++i) {
                const float u = h_world[c][j][i];
                h_world[n][j][i] = u + 0.2f * (h_world[c][j][(i + NX - 1) % NX] +
                                               h_world[c][j][(i + 1) % NX] +
                                               h_world[c][(j + GROWS - 1) % GROWS][i] +
                                               h_world[c][(j + 1) % GROWS][i] - 4.0f * u);
            }
    }
}

static void scatter(void)
{
    for (int r = 0; r < NRANK; ++r) {
        for (int j = 0; j < ROWS; ++j)
            memcpy(h_slab[j], h_world[0][(r * NY + j - 1 + GROWS) % GROWS], sizeof h_slab[j]);
        CK(cudaMemcpy(g_field[r][0], h_slab, sizeof h_slab, cudaMemcpyHostToDevice));
        CK(cudaMemset(g_field[r][1], 0, sizeof h_slab));
        CK(cudaDeviceSynchronize());
    }
}

static int compare(int level)
{
    int bad = 0;
    for (int r = 0; r < NRANK; ++r) {
        CK(cudaMemcpy(h_slab, g_field[r][level], sizeof h_slab, cudaMemcpyDeviceToHost));
        for (int j = 1; j <= NY; ++j)
            for (int i = 0; i < NX; ++i)
                if (!(fabsf(h_slab[j][i] - h_world[level][r * NY + j - 1][i]) < 0.01f))
                    ++bad;
    }
    return bad;
}

int main(void)
{
    for (int r = 0; r < NRANK; ++r)
        for (int l = 0; l < 2; ++l) {
            CK(cudaMalloc((void **)&g_field[r][l], sizeof(float) * CELLS));
            CK(cudaMemset(g_field[r][l], 0, sizeof(float) * CELLS));
        }
    CK(cudaDeviceSynchronize());
    halo_setup();
    step_warm();

    world_init();
    scatter();
    for (int t = 0; t < NSTEP; ++t) {
        const int cur = t & 1, nxt = cur ^ 1;
        for (int r = 0; r < NRANK; ++r)
            step_advance(r, cur, nxt);
        halo_exchange(cur, nxt);
    }
    CK(cudaDeviceSynchronize());

    world_reference();
    const int bad = compare(NSTEP & 1);
    halo_teardown();
    for (int r = 0; r < NRANK; ++r) {
        CK(cudaStreamDestroy(g_comp[r]));
        CK(cudaFree(g_field[r][0]));
        CK(cudaFree(g_field[r][1]));
    }
    if (bad)
        printf("WRONG %d\n", bad);
    else
        printf("DONE\n");
    return 0;
}
