#include "md.h"

__constant__ float c_mass[N_SPECIES] = {1.0f, 2.0f, 12.0f, 16.0f};

__global__ void energy_kernel(const float2 *snap, double *out)
{
    __shared__ double part[256];
    double e = 0.0;
    for (int i = threadIdx.x; i < N_ATOMS; i += blockDim.x) {
        float2 q = snap[i];
        e += 0.5 * c_mass[i % N_SPECIES] * ((double)q.x * q.x + (double)q.y * q.y);
    }
    part[threadIdx.x] = e;
    __syncthreads();
    for (int w = blockDim.x / 2; w > 0; w >>= 1) {
        if (threadIdx.x < w)
            part[threadIdx.x] += part[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = part[0];
}

extern "C" cudaError_t md_energy(const float2 *snap, double *d_energy, cudaStream_t stream)
{
    energy_kernel<<<1, 256, 0, stream>>>(snap, d_energy);
    return cudaGetLastError();
}
