/* plasma.cu - the distribution function of one rank */
#include "ring.h"
#define GRID NCELL / 256, 256

static __host__ __device__ double initial(int cell) {
    int d = (cell * 13) % 211;
    return 1.0 + 0.01 * d;
}

static __device__ unsigned long long clock_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory");
    return t;
}

__global__ void k_initial(double *f, int first, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f[i] = initial(first + i);
}

__global__ void k_pack(const double *f, int n, double *left, double *right) {
    if (threadIdx.x == 0)
        *left = f[0];
    else if (threadIdx.x == 1)
        *right = f[n - 1];
}

__global__ void k_advance(double *g, const double *f, int n, const double *left,
                          const double *right, long long ns) {
    unsigned long long t0 = clock_ns();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double a = i > 0 ? f[i - 1] : *left;
        double b = i < n - 1 ? f[i + 1] : *right;
        g[i] = f[i] + 0.2 * (a - 2.0 * f[i] + b) - 0.1 * (f[i] - a);
    }
    while (clock_ns() - t0 < (unsigned long long)ns) { }
}

__global__ void k_moment(double *out, const double *f, int n) {
    __shared__ double part[256];
    double s = 0.0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s += f[i] * f[i];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int w = 128; w > 0; w >>= 1) {
        if ((int)threadIdx.x < w)
            part[threadIdx.x] += part[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = part[0];
}

double plasma_initial(int cell) {
    return initial(cell);
}

void plasma_create(struct rank_state *s, int rank) {
    s->rank = rank;
    RUN(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking));
    RUN(cudaMalloc(&s->f, NCELL * sizeof(double)));
    RUN(cudaMalloc(&s->g, NCELL * sizeof(double)));
    RUN(cudaMalloc(&s->moment_dev, 2 * sizeof(double)));
    RUN(cudaMallocHost(&s->moment_host, sizeof(double)));
    /* a closed-box step, also a check of the device */
    plasma_restart(s);
    plasma_pack(s, s->moment_dev, s->moment_dev + 1);
    plasma_advance(s, s->moment_dev, s->moment_dev + 1);
    plasma_moment(s);
    RUN(cudaStreamSynchronize(s->stream));
    plasma_restart(s);
    RUN(cudaStreamSynchronize(s->stream));
}

void plasma_restart(struct rank_state *s) {
    k_initial<<<GRID, 0, s->stream>>>(s->f, s->rank * NCELL, NCELL);
    RUN(cudaGetLastError());
}

void plasma_pack(struct rank_state *s, double *left, double *right) {
    k_pack<<<1, 32, 0, s->stream>>>(s->f, NCELL, left, right);
    RUN(cudaGetLastError());
}

void plasma_advance(struct rank_state *s, const double *left, const double *right) {
    k_advance<<<GRID, 0, s->stream>>>(s->g, s->f, NCELL, left, right, ADVANCE_NS);
    RUN(cudaGetLastError());
    double *t = s->f;
    s->f = s->g;
    s->g = t;
}

void plasma_moment(struct rank_state *s) {
    k_moment<<<1, 256, 0, s->stream>>>(s->moment_dev, s->f, NCELL);
    RUN(cudaGetLastError());
    RUN(cudaMemcpyAsync(s->moment_host, s->moment_dev, sizeof(double),
                        cudaMemcpyDeviceToHost, s->stream));
}
