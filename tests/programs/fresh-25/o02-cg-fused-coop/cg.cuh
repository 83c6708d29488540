#ifndef CG_CUH
#define CG_CUH

/* Single-kernel conjugate gradients for the shifted five-point operator on an
 * nx * ny grid with Dirichlet boundary.  All iterations run in one launch; the
 * vectors stay in L2 for the problem sizes of interest. */

#define CG_THREADS 256

typedef struct {
    unsigned arrived;
    unsigned epoch;
} cg_barrier_t;

typedef struct {
    int nx, ny, iterations;
    double shift;
    double *x, *r, *p, *ap;
    double *part_pap, *part_rr;
    double *residual;
    cg_barrier_t *bar;
} cg_args_t;

__device__ static void cg_rendezvous(cg_barrier_t *b)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        volatile unsigned *epoch = &b->epoch;
        unsigned mine = *epoch;
        __threadfence();
        if (atomicAdd(&b->arrived, 1u) == gridDim.x - 1) {
            b->arrived = 0;
            __threadfence();
            atomicAdd(&b->epoch, 1u);
        } else {
            while (*epoch == mine) { }
        }
        __threadfence();
    }
    __syncthreads();
}

__device__ static double cg_block_sum(double v)
{
    __shared__ double buf[CG_THREADS];
    __syncthreads();
    buf[threadIdx.x] = v;
    __syncthreads();
    for (int s = CG_THREADS / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) buf[threadIdx.x] += buf[threadIdx.x + s];
        __syncthreads();
    }
    return buf[0];
}

__device__ static double cg_total(double *part)
{
    double s = 0.0;
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) s += part[i];
    return cg_block_sum(s);
}

__device__ static double cg_row(const cg_args_t &a, int i)
{
    int ix = i % a.nx, iy = i / a.nx;
    double v = (4.0 + a.shift) * a.p[i];
    if (ix > 0) v -= a.p[i - 1];
    if (ix < a.nx - 1) v -= a.p[i + 1];
    if (iy > 0) v -= a.p[i - a.nx];
    if (iy < a.ny - 1) v -= a.p[i + a.nx];
    return v;
}

__global__ void cg_solve(cg_args_t a)
{
    int n = a.nx * a.ny;
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;

    double s = 0.0;
    for (int i = first; i < n; i += step) s += a.r[i] * a.r[i];
    s = cg_block_sum(s);
    if (threadIdx.x == 0) a.part_rr[blockIdx.x] = s;
    cg_rendezvous(a.bar);
    double rr = cg_total(a.part_rr);

    for (int it = 0; it < a.iterations && rr > 1e-24; ++it) {
        s = 0.0;
        for (int i = first; i < n; i += step) {
            double v = cg_row(a, i);
            a.ap[i] = v;
            s += v * a.p[i];
        }
        s = cg_block_sum(s);
        if (threadIdx.x == 0) a.part_pap[blockIdx.x] = s;
        cg_rendezvous(a.bar);
        double alpha = rr / cg_total(a.part_pap);

        s = 0.0;
        for (int i = first; i < n; i += step) {
            a.x[i] += alpha * a.p[i];
            a.r[i] -= alpha * a.ap[i];
            s += a.r[i] * a.r[i];
        }
        s = cg_block_sum(s);
        if (threadIdx.x == 0) a.part_rr[blockIdx.x] = s;
        cg_rendezvous(a.bar);
        double next = cg_total(a.part_rr);
        double beta = next / rr;
        rr = next;
        for (int i = first; i < n; i += step) a.p[i] = a.r[i] + beta * a.p[i];
        cg_rendezvous(a.bar);
    }
    if (first == 0) *a.residual = rr;
}

#endif
