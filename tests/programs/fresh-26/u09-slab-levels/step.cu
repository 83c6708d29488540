#include "slab.h"

cudaStream_t g_comp[NRANK];

#define EDGE_COST_NS  20000000ull
#define INNER_COST_NS 6000000ull

static __device__ void source_term(unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

static __device__ float relax(const float *u, int j, int i)
{
    const int    w = i == 0 ? NX - 1 : i - 1;
    const int    e = i == NX - 1 ? 0 : i + 1;
    const float *row = u + j * PITCH;
    return row[i] + 0.2f * (row[w] + row[e] + row[i - PITCH] + row[i + PITCH] - 4.0f * row[i]);
}

__global__ void edge_rows(const float *u, float *v, unsigned long long ns)
{
    const int j = blockIdx.x == 0 ? 1 : NY;
    source_term(ns);
    v[j * PITCH + threadIdx.x] = relax(u, j, threadIdx.x);
}

__global__ void inner_rows(const float *u, float *v, unsigned long long ns)
{
    const int j = 2 + blockIdx.x;
    source_term(ns);
    v[j * PITCH + threadIdx.x] = relax(u, j, threadIdx.x);
}

void step_warm(void)
{
    for (int r = 0; r < NRANK; ++r) {
        CK(cudaStreamCreateWithFlags(&g_comp[r], cudaStreamNonBlocking));
        edge_rows<<<2, NX, 0, g_comp[r]>>>(g_field[r][0], g_field[r][1], 0);
        inner_rows<<<NY - 2, NX, 0, g_comp[r]>>>(g_field[r][0], g_field[r][1], 0);
        CK(cudaMemcpyAsync(g_field[r][1], g_field[r][0], sizeof(float) * NX,
                           cudaMemcpyDeviceToDevice, g_comm[r]));
    }
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
}

void step_advance(int r, int cur, int nxt)
{
    cudaStream_t s = g_comp[r];

    CK(cudaStreamWaitEvent(s, HALO_EV(RANK_UP(r), cur), 0));
    CK(cudaStreamWaitEvent(s, HALO_EV(RANK_DN(r), cur), 0));
    edge_rows<<<2, NX, 0, s>>>(g_field[r][cur], g_field[r][nxt], EDGE_COST_NS);
    CK(cudaEventRecord(EDGE_EV(r, nxt), s));
    inner_rows<<<NY - 2, NX, 0, s>>>(g_field[r][cur], g_field[r][nxt], INNER_COST_NS);
    CK(cudaEventRecord(STEP_EV(r, nxt), s));
    CK(cudaGetLastError());
}
