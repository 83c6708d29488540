/* model.cu - dynamics and the hook table */
#include "device_clock.cuh"
#include "model.h"

static struct hook hooks[MAXHOOK];
static int         nhooks;

__global__ void k_cold_start(double *temp, double *humid, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        temp[i] = 10.0 + 0.001 * i;
        humid[i] = 1.0;
    }
}

__global__ void k_columns(double *temp, double *humid, int n, int step, long long ns) {
    unsigned long long t0 = device_ns();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double sun = 1.0 + 0.25 * (double)((step * 7 + i) % 13);
        double t = temp[i] + 0.5 * (sun - 0.01 * temp[i]);
        temp[i] = t;
        humid[i] = 0.9 * humid[i] + 0.1 * t;
    }
    device_until(t0, ns);
}

void model_init(struct model_state *m) {
    CHECK(cudaMalloc(&m->temp, NCOL * sizeof(double)));
    CHECK(cudaMalloc(&m->humid, NCOL * sizeof(double)));
    CHECK(cudaStreamCreateWithFlags(&m->dyn, cudaStreamNonBlocking));
    m->step = 0;
    k_cold_start<<<NCOL / 256, 256, 0, m->dyn>>>(m->temp, m->humid, NCOL);
    CHECK(cudaGetLastError());
}

void model_add_hook(const char *name, hook_fn fn, int every) {
    if (nhooks == MAXHOOK)
        std::exit(3);
    hooks[nhooks++] = hook{ name, fn, every };
}

void model_step(struct model_state *m) {
    ++m->step;
    k_columns<<<NCOL / 256, 256, 0, m->dyn>>>(m->temp, m->humid, NCOL, m->step, PHYS_NS);
    CHECK(cudaGetLastError());
    for (int h = 0; h < nhooks; ++h)
        if (m->step % hooks[h].every == 0)
            hooks[h].fn(m);
}

void model_final(struct model_state *m) {
    CHECK(cudaStreamSynchronize(m->dyn));
}
