#include "domain.h"

static __device__ void physics(long long ns)
{
    long long t0, t1;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t1));
    } while (t1 - t0 < ns);
}

__global__ void diffuse(float *out, const float *in, const float *parent, const float *nest, long long ns)
{
    __shared__ float c[NX + 2];
    int i = threadIdx.x;

    physics(ns);
    float v = in[i];
    if (nest && i >= NEST0 && i < NEST1) {
        int k = (i - NEST0) * REFINE;
        v = 0.5f * (nest[k] + nest[k + 1]);
    }
    c[i + 1] = v;
    if (i == 0) {
        c[0] = parent ? parent[NEST0 - 1] : 0.0f;
        c[NX + 1] = parent ? parent[NEST1] : 0.0f;
    }
    __syncthreads();
    out[i] = c[i + 1] + KAPPA * (c[i] - 2.0f * c[i + 1] + c[i + 2]);
}

static void sources(float **f, int d, int t, const struct coupling *c, int nc, const float **parent, const float **nest)
{
    *parent = *nest = 0;
    for (int k = 0; k < nc; ++k) {
        if (c[k].to != d) continue;
        const float *p = f[c[k].from * 2 + ((t + 1 - c[k].lag) & 1)];
        if (c[k].what == LATERAL)
            *parent = p;
        else
            *nest = p;
    }
}

void advance_domain(int d, int t, const struct coupling *c, int nc, cudaStream_t s)
{
    const float *parent, *nest;
    sources(u, d, t, c, nc, &parent, &nest);
    diffuse<<<1, NX, 0, s>>>(U(d, t + 1), U(d, t), parent, nest, COST_NS);
    RT(cudaGetLastError());
}

void advance_host(int d, int t, const struct coupling *c, int nc)
{
    const float *parent, *nest;
    float col[NX + 2];
    sources(h, d, t, c, nc, &parent, &nest);
    for (int i = 0; i < NX; ++i) {
        float v = H(d, t)[i];
        if (nest && i >= NEST0 && i < NEST1) {
            int k = (i - NEST0) * REFINE;
            v = 0.5f * (nest[k] + nest[k + 1]);
        }
        col[i + 1] = v;
    }
    col[0] = parent ? parent[NEST0 - 1] : 0.0f;
    col[NX + 1] = parent ? parent[NEST1] : 0.0f;
    for (int i = 0; i < NX; ++i)
        H(d, t + 1)[i] = col[i + 1] + KAPPA * (col[i] - 2.0f * col[i + 1] + col[i + 2]);
}
