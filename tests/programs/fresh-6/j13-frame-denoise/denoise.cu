#include "framepool.h"

__host__ __device__ static float mix(float l, float c) { return 0.5f * l + 0.5f * c; }

__global__ static void denoise_kernel(const float *in, float *out, int n, unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = mix(i > 0 ? in[i - 1] : in[i], in[i]);
}

void denoise(const Lane &lane, int pixels)
{
    denoise_kernel<<<8, 256, 0, lane.stream>>>(lane.in, lane.out, pixels, 20ull * 1000 * 1000);
    DN_CHECK(cudaGetLastError());
}

float denoised(float left, float centre) { return mix(left, centre); }
