#include "rack.h"

#include <string.h>

static __global__ void fir(const int *in, const fir_block *block, int *out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < SAMPLES; i += gridDim.x * blockDim.x) {
        int acc = 0;
        for (int t = 0; t < TAPS; ++t) {
            int j = i - t * block->spread;
            acc += j >= 0 ? in[j] * block->taps[t] : 0;
        }
        out[i] = acc * block->gain;
    }
}

static __global__ void limit(int *out, int ceiling)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < SAMPLES; i += gridDim.x * blockDim.x) {
        int v = out[i];
        out[i] = v > ceiling ? ceiling : (v < -ceiling ? -ceiling : v);
    }
}

void rack_open(rack *r, const int *input)
{
    memset(r, 0, sizeof *r);
    arena_open(&r->staging, PRESETS * 2 * sizeof(fir_block) + 4096);
    RK(cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking));
    RK(cudaMalloc((void **)&r->d_in, SAMPLES * sizeof(int)));
    RK(cudaMemcpy(r->d_in, input, SAMPLES * sizeof(int), cudaMemcpyHostToDevice));
    for (int p = 0; p < PRESETS; ++p) {
        preset *ps = &r->bank[p];
        ps->id = p;
        RK(cudaMalloc((void **)&ps->d_block, sizeof(fir_block)));
        RK(cudaMalloc((void **)&ps->d_out, SAMPLES * sizeof(int)));
        RK(cudaHostAlloc((void **)&ps->out, SAMPLES * sizeof(int), cudaHostAllocDefault));
    }
    struct cudaFuncAttributes attr;
    RK(cudaFuncGetAttributes(&attr, (const void *)fir));
    RK(cudaFuncGetAttributes(&attr, (const void *)limit));
    RK(cudaDeviceSynchronize());
}

void rack_compile(rack *r, int id, design_fn design, void *user)
{
    preset *ps = &r->bank[id];
    cudaGraph_t graph;
    arena_mark mark = arena_save(&r->staging);
    fir_block *block = (fir_block *)arena_take(&r->staging, sizeof(fir_block));
    design(block, id, user);

    RK(cudaStreamBeginCapture(r->stream, cudaStreamCaptureModeThreadLocal));
    RK(cudaMemcpyAsync(ps->d_block, block, sizeof(fir_block), cudaMemcpyHostToDevice, r->stream));
    fir<<<32, 256, 0, r->stream>>>(r->d_in, ps->d_block, ps->d_out);
    limit<<<32, 256, 0, r->stream>>>(ps->d_out, 1 << 28);
    RK(cudaMemcpyAsync(ps->out, ps->d_out, SAMPLES * sizeof(int), cudaMemcpyDeviceToHost, r->stream));
    RK(cudaStreamEndCapture(r->stream, &graph));
    RK(cudaGraphInstantiate(&ps->exec, graph, 0));
    RK(cudaGraphDestroy(graph));
    arena_restore(&r->staging, mark);
}

void rack_play(rack *r, int id)
{
    RK(cudaGraphLaunch(r->bank[id].exec, r->stream));
}

void rack_wait(rack *r)
{
    RK(cudaStreamSynchronize(r->stream));
}

void rack_close(rack *r)
{
    for (int p = 0; p < PRESETS; ++p) {
        preset *ps = &r->bank[p];
        RK(cudaGraphExecDestroy(ps->exec));
        RK(cudaFree(ps->d_block));
        RK(cudaFree(ps->d_out));
        RK(cudaFreeHost(ps->out));
    }
    RK(cudaFree(r->d_in));
    RK(cudaStreamDestroy(r->stream));
    arena_close(&r->staging);
}
