/* kernels.cu - device side of the line migration */
#include "rtm.h"

static __device__ __forceinline__ unsigned long long device_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory");
    return t;
}

extern "C" __global__ void k_inject(double *p, double *q, const double *w, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = q[i] = w[i];
}

/* One block carries one line through nt time steps. */
extern "C" __global__ void k_propagate(double *p, double *q, const double *vel,
                                       int n, int nt, long long pace) {
    double *cur = p, *old = q;
    unsigned long long t0 = device_ns();
    for (int it = 0; it < nt; ++it) {
        for (int i = threadIdx.x + 1; i < n - 1; i += blockDim.x)
            old[i] = 2.0 * cur[i] - old[i]
                   + vel[i] * (cur[i - 1] - 2.0 * cur[i] + cur[i + 1]);
        __syncthreads();
        double *t = cur; cur = old; old = t;
        unsigned long long until = (unsigned long long)pace * (it + 1);
        while (device_ns() - t0 < until) { }
    }
}

extern "C" __global__ void k_taper(double *p, double *q, int n, int width) {
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        double d = (double)(width - i) / width;
        double f = 1.0 - 0.2 * d * d;
        p[i] *= f; p[n - 1 - i] *= f;
        q[i] *= f; q[n - 1 - i] *= f;
    }
}

extern "C" __global__ void k_image(double *img, const double *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        img[i] += p[i] * p[i];
}

void rtm_bind_kernels(void) {
    const void *sym[K_COUNT] = { (const void *)k_inject, (const void *)k_propagate,
                                 (const void *)k_taper, (const void *)k_image };
    for (int k = 0; k < K_COUNT; ++k) {
        cudaFunction_t f;
        RT(cudaGetFuncBySymbol(&f, sym[k]));
        rtmenv_.fn[k] = f;
    }
}
