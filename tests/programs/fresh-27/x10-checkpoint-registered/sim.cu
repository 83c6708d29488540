#include "ckpt.h"
#include "sim.h"

#include <chrono>
#include <map>
#include <utility>

#define TPB 256
#define GRID 16

/* Radiation transport dominates a step and takes the same time everywhere. */
static __device__ void transport_cost(unsigned long long ns)
{
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t1));
    } while (t1 - t0 < ns);
}

static __global__ void advance(uint32_t *u, int n, uint32_t first, unsigned long long ns)
{
    transport_cost(ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        u[i] = advance_cell(u[i], first + (uint32_t)i);
}

void sim_init(sim_t *s)
{
    s->time = 0;
    for (int b = 0; b < NBLOCKS; ++b) {
        patch_t *p = &s->patch[b];
        CK(cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking));
        CK(cudaMalloc((void **)&p->state, NCELL * sizeof(uint32_t)));
        CK(cudaMemset(p->state, 0, NCELL * sizeof(uint32_t)));
    }
    CK(cudaDeviceSynchronize());
}

void sim_free(sim_t *s)
{
    for (int b = 0; b < NBLOCKS; ++b) {
        CK(cudaStreamDestroy(s->patch[b].stream));
        CK(cudaFree(s->patch[b].state));
    }
}

double sim_run(sim_t *s, int steps, struct ckpt *ck)
{
    const auto t0 = std::chrono::steady_clock::now();
    for (int k = 0; k < steps; ++k) {
        ++s->time;
        for (int b = 0; b < NBLOCKS; ++b) {
            patch_t *p = &s->patch[b];
            advance<<<GRID, TPB, 0, p->stream>>>(p->state, NCELL, (uint32_t)b * NCELL, STEP_NS);
            CK(cudaGetLastError());
            if (ck)
                ckpt_post(ck, b, s->time, p->state, p->stream);
        }
    }
    for (int b = 0; b < NBLOCKS; ++b)
        CK(cudaStreamSynchronize(s->patch[b].stream));
    const std::chrono::duration<double> dt = std::chrono::steady_clock::now() - t0;
    return dt.count();
}

#define WARM_STEPS 2
#define RUN_STEPS 10

static int check(const ckpt *c, int last)
{
    std::map<std::pair<int, int>, uint64_t> got;
    for (const ckpt_record &r : c->archive)
        got[std::make_pair(r.block, r.time)] = r.sum;
    int wrong = 0;
    std::vector<uint32_t> u(NCELL);
    for (int b = 0; b < NBLOCKS; ++b) {
        u.assign(NCELL, 0);
        for (int t = 1; t <= last; ++t) {
            for (int i = 0; i < NCELL; ++i)
                u[i] = advance_cell(u[i], (uint32_t)(b * NCELL + i));
            if (t <= last - RUN_STEPS)
                continue;
            const auto it = got.find(std::make_pair(b, t));
            wrong += it == got.end() || it->second != ckpt_sum(u.data(), NCELL * sizeof(uint32_t));
        }
    }
    return wrong;
}

int main(void)
{
    sim_t sim;
    ckpt ck;

    sim_init(&sim);
    ckpt_init(&ck, NCELL * sizeof(uint32_t));
    sim_run(&sim, WARM_STEPS, &ck);
    const double plain = sim_run(&sim, RUN_STEPS, NULL);
    const double saved = sim_run(&sim, RUN_STEPS, &ck);
    ckpt_close(&ck);
    sim_free(&sim);

    const int wrong = check(&ck, sim.time);
    const double ratio = saved / plain;
    fprintf(stderr, "plain %.3f s, with checkpoints %.3f s\n", plain, saved);
    if (wrong)
        printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        printf("SLOW %.2f\n", ratio);
    else
        printf("DONE\n");
    return wrong || ratio > 1.5;
}
