#include "md.h"

#include <string.h>

/* Integrates on request; stays on its multiprocessor for the whole trajectory. */
__global__ void integrator(md_mailbox *box, unsigned *pos, unsigned *vel)
{
    __shared__ int order, kick;
    int i = threadIdx.x;
    unsigned x = pos[i], v = vel[i];
    int step = 0;
    for (;;) {
        if (i == 0) {
            int o;
            do {
                o = box->order;
            } while (o == step);
            __threadfence_system();
            order = o;
            kick = box->kick;
        }
        __syncthreads();
        if (order == MD_QUIT) break;
        v += (unsigned)kick + (x >> 20);
        x += v;
        pos[i] = x;
        __threadfence_system();
        __syncthreads();
        ++step;
        if (i == 0) box->reached = step;
    }
    vel[i] = v;
}

/* Density profile of the current configuration: one block per group of bins. */
__global__ void profile(const unsigned *pos, unsigned *bins)
{
    int bin = blockIdx.x;
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < MD_ATOMS; i += blockDim.x)
        if ((int)(pos[i] >> 26) == bin) atomicAdd(&count, 1u);
    __syncthreads();
    if (threadIdx.x == 0) bins[bin] = count;
}

void md_open(md_system *s)
{
    unsigned init[MD_ATOMS];
    memset(s, 0, sizeof *s);
    MD_TRY(cudaStreamCreateWithFlags(&s->motion, cudaStreamNonBlocking));
    MD_TRY(cudaStreamCreateWithFlags(&s->analysis, cudaStreamNonBlocking));
    MD_TRY(cudaMalloc((void **)&s->pos, sizeof init));
    MD_TRY(cudaMalloc((void **)&s->vel, sizeof init));
    MD_TRY(cudaMalloc((void **)&s->bins, MD_BINS * sizeof(unsigned)));
    MD_TRY(cudaMallocHost((void **)&s->bins_host, MD_BINS * sizeof(unsigned)));
    MD_TRY(cudaHostAlloc((void **)&s->box, sizeof(md_mailbox), cudaHostAllocMapped));
    MD_TRY(cudaHostGetDevicePointer((void **)&s->box_dev, s->box, 0));
    for (int i = 0; i < MD_ATOMS; ++i) init[i] = (unsigned)i * 2654435761u;
    MD_TRY(cudaMemcpy(s->pos, init, sizeof init, cudaMemcpyHostToDevice));
    for (int i = 0; i < MD_ATOMS; ++i) init[i] = (unsigned)i * 40503u;
    MD_TRY(cudaMemcpy(s->vel, init, sizeof init, cudaMemcpyHostToDevice));
    MD_TRY(cudaDeviceSynchronize());
}

void md_start(md_system *s)
{
    s->box->order = 0;
    s->box->reached = 0;
    s->box->kick = 0;
    integrator<<<1, MD_ATOMS, 0, s->motion>>>(s->box_dev, s->pos, s->vel);
    MD_TRY(cudaGetLastError());
}

void md_step(md_system *s, int step, int kick)
{
    s->box->kick = kick;
    __sync_synchronize();
    s->box->order = step;
    while (s->box->reached != step) { }
    __sync_synchronize();
}

void md_observe(md_system *s, unsigned *histogram)
{
    profile<<<MD_BINS, 128, 0, s->analysis>>>(s->pos, s->bins);
    MD_TRY(cudaGetLastError());
    MD_TRY(cudaMemcpyAsync(s->bins_host, s->bins, MD_BINS * sizeof(unsigned),
                           cudaMemcpyDeviceToHost, s->analysis));
    MD_TRY(cudaStreamSynchronize(s->analysis));
    memcpy(histogram, s->bins_host, MD_BINS * sizeof(unsigned));
}

void md_stop(md_system *s)
{
    s->box->order = MD_QUIT;
    MD_TRY(cudaStreamSynchronize(s->motion));
}

void md_close(md_system *s)
{
    cudaFree(s->pos);
    cudaFree(s->vel);
    cudaFree(s->bins);
    cudaFreeHost(s->bins_host);
    cudaFreeHost(s->box);
    cudaStreamDestroy(s->motion);
    cudaStreamDestroy(s->analysis);
}
