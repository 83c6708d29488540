/* forces.cu - nonbonded and bonded force kernels */
#include "bench.h"

__device__ __forceinline__ unsigned long long clock_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory");
    return t;
}
#define DWELL(t0, ns) while (clock_ns() - (t0) < (unsigned long long)(ns)) { }

__global__ void k_pairs(const double *x, double *f, int n, double cut2, long long ns) {
    unsigned long long t0 = clock_ns();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double fx = 0.0, fy = 0.0, fz = 0.0;
        for (int j = 0; j < n; ++j) {
            if (j == i)
                continue;
            double dx = x[3 * i] - x[3 * j];
            double dy = x[3 * i + 1] - x[3 * j + 1];
            double dz = x[3 * i + 2] - x[3 * j + 2];
            double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < cut2) {
                double s = 1.0 / r2;
                double s3 = s * s * s;
                double w = 24.0 * s * s3 * (2.0 * s3 - 1.0);
                fx += w * dx, fy += w * dy, fz += w * dz;
            }
        }
        f[3 * i] = fx, f[3 * i + 1] = fy, f[3 * i + 2] = fz;
    }
    DWELL(t0, ns);
}

/* springs between atoms `reach` apart along the chain */
__global__ void k_springs(const double *x, double *f, int n, int reach, double k,
                          long long ns) {
    unsigned long long t0 = clock_ns();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int d = 0; d < 3; ++d) {
            double s = 0.0;
            if (i >= reach)
                s += x[3 * (i - reach) + d] - x[3 * i + d];
            if (i + reach < n)
                s += x[3 * (i + reach) + d] - x[3 * i + d];
            f[3 * i + d] = k * s;
        }
    }
    DWELL(t0, ns);
}

static void launch(const void *fn, void **args, cudaStream_t st) {
    CU(cudaLaunchKernel(fn, dim3(NATOM / 64), dim3(64), args, 0, st));
}

void force_pairs(cudaStream_t st) {
    int       n = NATOM;
    double    cut2 = CUTOFF2;
    long long ns = NS_PAIRS;
    void     *args[] = { &md.x, &md.f_pair, &n, &cut2, &ns };
    launch((const void *)k_pairs, args, st);
}

void force_bonds(cudaStream_t st) {
    int       n = NATOM, reach = 1;
    double    k = 4.0;
    long long ns = NS_BONDS;
    void     *args[] = { &md.x, &md.f_bond, &n, &reach, &k, &ns };
    launch((const void *)k_springs, args, st);
}

void force_torsions(cudaStream_t st) {
    int       n = NATOM, reach = 3;
    double    k = 0.5;
    long long ns = NS_TORSION;
    void     *args[] = { &md.x, &md.f_tors, &n, &reach, &k, &ns };
    launch((const void *)k_springs, args, st);
}
