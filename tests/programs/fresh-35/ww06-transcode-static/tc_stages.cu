/*
 * tc_stages.cu - stage table: 0 deblock, 1 sharpen
 */
#include "tc_cfg.h"

static __device__ void tc_dwell(uint64_t ns)
{
    unsigned long long t0, t;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while ((t - t0) < ns);
}

/* four taps per pixel */
static __global__ void k_deblock(uint32_t *px, uint32_t *taps, uint64_t ns)
{
    const uint32_t i = (blockIdx.x * TC_BLOCK) + threadIdx.x;
    uint32_t sum = 0U;

    tc_dwell(ns);
    for (uint32_t k = 0U; k < 4U; k++) {
        taps[(k * TC_PIXELS) + i] = px[i] * ((2U * k) + 1U);
    }
    for (uint32_t k = 0U; k < 4U; k++) {
        sum += taps[(k * TC_PIXELS) + i];
    }
    px[i] = sum + 5U;
}

/* sixteen levels per pixel */
static __global__ void k_sharpen(uint32_t *px, uint32_t *levels, uint64_t ns)
{
    const uint32_t i = (blockIdx.x * TC_BLOCK) + threadIdx.x;
    uint32_t v;

    tc_dwell(ns);
    v = px[i];
    for (uint32_t k = 0U; k < 16U; k++) {
        levels[(k * TC_PIXELS) + i] = v;
        v = (v * 3U) + 1U;
    }
    px[i] = levels[(15U * TC_PIXELS) + i] ^ levels[(7U * TC_PIXELS) + i];
}

static cudaError_t submit_deblock(const tc_session_t *s)
{
    k_deblock<<<TC_GRID, TC_BLOCK, 0, s->queue>>>(s->frame, s->scratch, TC_STAGE_NS);
    return cudaGetLastError();
}

static cudaError_t submit_sharpen(const tc_session_t *s)
{
    k_sharpen<<<TC_GRID, TC_BLOCK, 0, s->queue>>>(s->frame, s->scratch, TC_STAGE_NS);
    return cudaGetLastError();
}

static uint32_t model_deblock(uint32_t p)
{
    return (p * 16U) + 5U;
}

static uint32_t model_sharpen(uint32_t p)
{
    uint32_t level[16];

    for (uint32_t k = 0U; k < 16U; k++) {
        level[k] = p;
        p = (p * 3U) + 1U;
    }
    return level[15] ^ level[7];
}

const tc_stage_t tc_stages[TC_MAX_STAGES] = {
    { 4U,  submit_deblock, model_deblock },
    { 16U, submit_sharpen, model_sharpen },
};
