#include "field.h"
#include <cstdlib>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/system_error.h>

#define TRY(call)               \
    do {                        \
        cudaError_t e_ = (call); \
        if (e_ != cudaSuccess)  \
            return (int)e_;     \
    } while (0)

__host__ __device__ static int weight_of(int i, int round) { return (i * 5 + round * 3) % 7; }

__global__ static void fill_band(int *w, int first, int count, int round, unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        w[first + i] = weight_of(first + i, round);
}

__global__ static void place_band(const int *w, const int *off, int *slots, int first, int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        slots[first + i] = off[first + i] * 2 + (w[first + i] & 1);
}

int field_weight(int i, int round) { return weight_of(i, round); }
const char *field_strerror(int code) { return cudaGetErrorName((cudaError_t)code); }

int field_create(int n, int nbands, field_t **out)
{
    field_t *f = (field_t *)calloc(1, sizeof *f);
    f->n = n;
    f->nbands = nbands;
    f->bands = (band_t *)calloc(nbands, sizeof(band_t));
    const int per = n / nbands;
    for (int b = 0; b < nbands; ++b) {
        f->bands[b].first = b * per;
        f->bands[b].count = b + 1 < nbands ? per : n - b * per;
        TRY(cudaStreamCreate(&f->bands[b].stream));
    }
    TRY(cudaMalloc(&f->weights, sizeof(int) * n));
    TRY(cudaMalloc(&f->offsets, sizeof(int) * n));
    TRY(cudaMalloc(&f->slots, sizeof(int) * n));
    *out = f;
    return 0;
}

int field_fill(field_t *f, int round)
{
    for (int b = 0; b < f->nbands; ++b) {
        band_t *bd = &f->bands[b];
        fill_band<<<16, 256, 0, bd->stream>>>(f->weights, bd->first, bd->count, round,
                                              (unsigned long long)(10 + 10 * b) * 1000 * 1000);
    }
    TRY(cudaGetLastError());
    return 0;
}

int field_index(field_t *f, long *total)
{
    thrust::device_ptr<int> w(f->weights), o(f->offsets);
    try {
        thrust::exclusive_scan(thrust::device, w, w + f->n, o);
        *total = thrust::reduce(thrust::device, w, w + f->n, 0L);
    } catch (const thrust::system_error &e) {
        return e.code().value();
    }
    return 0;
}

int field_place(field_t *f)
{
    for (int b = 0; b < f->nbands; ++b) {
        band_t *bd = &f->bands[b];
        place_band<<<16, 256, 0, bd->stream>>>(f->weights, f->offsets, f->slots, bd->first, bd->count);
    }
    TRY(cudaGetLastError());
    return 0;
}

int field_fetch(const field_t *f, int *host)
{
    TRY(cudaMemcpy(host, f->slots, sizeof(int) * f->n, cudaMemcpyDeviceToHost));
    return 0;
}

void field_destroy(field_t *f)
{
    for (int b = 0; b < f->nbands; ++b)
        cudaStreamDestroy(f->bands[b].stream);
    cudaFree(f->weights);
    cudaFree(f->offsets);
    cudaFree(f->slots);
    free(f->bands);
    free(f);
}
