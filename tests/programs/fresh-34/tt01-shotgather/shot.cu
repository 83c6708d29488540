/* shot.cu - life of one shot and the stages it passes */
#include "shot.h"

#include <stdlib.h>
#include <string.h>
#include <math.h>

cudaError_t shot_errno = cudaSuccess;

/* ---- host memory ---------------------------------------------------- */

static int dma_get(void **p, size_t bytes)
{
    shot_errno = cudaMallocHost(p, bytes);
    return shot_errno == cudaSuccess ? 0 : -1;
}

static void dma_put(void *p)
{
    if (p)
        cudaFreeHost(p);
}

static int heap_get(void **p, size_t bytes)
{
    *p = malloc(bytes);
    if (!*p) {
        shot_errno = cudaErrorMemoryAllocation;
        return -1;
    }
    return 0;
}

static void heap_put(void *p)
{
    free(p);
}

const struct mem_ops mem_table[2] = {
    { "dma",  dma_get,  dma_put  },
    { "heap", heap_get, heap_put },
};

/* ---- device code ----------------------------------------------------- */

/* one block per shot: applies a spherical divergence gain down each trace */
__global__ void gain_kernel(const float *in, float *out, int n, float k,
                            unsigned long long dwell)
{
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t1));
    } while (t1 - t0 < dwell);

    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = in[i] * (1.0f + k * (float)(i % NSAMP));
}

/* ---- stages ----------------------------------------------------------- */

static int stage_upload(struct shot *s)
{
    TRY(cudaMemcpyAsync(s->d_field, s->field, NPTS * sizeof(float),
                        cudaMemcpyHostToDevice, s->lane));
    return 0;
fail:
    return -1;
}

static int stage_gain(struct shot *s)
{
    gain_kernel<<<1, 256, 0, s->lane>>>(s->d_field, s->d_section, NPTS,
                                        0.001f, DWELL_NS);
    TRY(cudaGetLastError());
    return 0;
fail:
    return -1;
}

static int stage_download(struct shot *s)
{
    TRY(cudaMemcpyAsync(s->section, s->d_section, NPTS * sizeof(float),
                        cudaMemcpyDeviceToHost, s->lane));
    return 0;
fail:
    return -1;
}

const struct stage stage_table[] = {
    { "upload",   stage_upload   },
    { "gain",     stage_gain     },
    { "download", stage_download },
};
const int stage_count = (int)(sizeof stage_table / sizeof stage_table[0]);

/* ---- life of a shot ---------------------------------------------------- */

int shot_open(struct shot *s, int id)
{
    int i;

    memset(s, 0, sizeof *s);
    s->id = id;
    s->field_mem   = &mem_table[MEM_DMA];
    s->section_mem = &mem_table[MEM_HEAP];

    TRY(cudaStreamCreateWithFlags(&s->lane, cudaStreamNonBlocking));
    TRY(cudaMalloc((void **)&s->d_field,   NPTS * sizeof(float)));
    TRY(cudaMalloc((void **)&s->d_section, NPTS * sizeof(float)));

    if (s->field_mem->get((void **)&s->field, NPTS * sizeof(float)) < 0)
        goto fail;
    if (s->section_mem->get((void **)&s->section, NPTS * sizeof(float)) < 0)
        goto fail;

    for (i = 0; i < NPTS; i++) {
        s->field[i] = (float)((i * 7 + id * 13) % 97);
        s->section[i] = -1.0f;
    }
    return 0;
fail:
    shot_close(s);
    return -1;
}

void shot_close(struct shot *s)
{
    if (s->section) s->section_mem->put(s->section);
    if (s->field)   s->field_mem->put(s->field);
    if (s->d_section) cudaFree(s->d_section);
    if (s->d_field)   cudaFree(s->d_field);
    if (s->lane)      cudaStreamDestroy(s->lane);
    memset(s, 0, sizeof *s);
}

int shot_run(struct shot *s)
{
    int i;

    for (i = 0; i < stage_count; i++)
        if (stage_table[i].fn(s) < 0)
            return -1;
    return 0;
}

long shot_check(const struct shot *s)
{
    long bad = 0;
    int i;

    for (i = 0; i < NPTS; i++) {
        float want = s->field[i] * (1.0f + 0.001f * (float)(i % NSAMP));
        if (fabsf(want - s->section[i]) > 1e-3f * (1.0f + fabsf(want)))
            bad++;
    }
    return bad;
}
