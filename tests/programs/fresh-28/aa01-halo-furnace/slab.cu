#include "slab.cuh"

namespace {

__device__ unsigned long long now_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void sweep_kernel(const double* from, double* to, int rows, int width, double alpha) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    const int r = blockIdx.y + 1;
    if (c >= width || r > rows) return;
    const size_t i = size_t(r) * width + c;
    if (c == 0 || c == width - 1) {
        to[i] = from[i];
        return;
    }
    to[i] = from[i] + alpha * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width] - 4.0 * from[i]);
}

__global__ void seam_kernel(double* field, int rows, int width, unsigned long long chain_ns) {
    const int c = threadIdx.x + blockIdx.x * blockDim.x;
    const int r = blockIdx.y == 0 ? 1 : rows;
    const unsigned long long t0 = now_ns();
    while (now_ns() - t0 < chain_ns) {
    }
    if (c < width) {
        double* cell = field + size_t(r) * width + c;
        *cell = *cell * 0.8 + 1.5;
    }
}

}  // namespace

void slab_open(Slab& slab, const Geometry& g, const double* initial) {
    slab.rows = g.rows;
    slab.width = g.width;
    for (auto& copy : slab.field) {
        CU(cudaMalloc(&copy, slab.bytes()));
        CU(cudaMemcpy(copy, initial, slab.bytes(), cudaMemcpyHostToDevice));
    }
    CU(cudaDeviceSynchronize());
}

void slab_close(Slab& slab) {
    for (auto& copy : slab.field) {
        CU(cudaFree(copy));
        copy = nullptr;
    }
}

void slab_sweep(const Slab& slab, int from, int to, double alpha, cudaStream_t stream) {
    const dim3 grid((slab.width + 127) / 128, slab.rows);
    sweep_kernel<<<grid, 128, 0, stream>>>(slab.field[from], slab.field[to], slab.rows, slab.width, alpha);
    CU(cudaGetLastError());
}

void slab_seam(const Slab& slab, int copy, cudaStream_t stream) {
    const dim3 grid((slab.width + 127) / 128, 2);
    seam_kernel<<<grid, 128, 0, stream>>>(slab.field[copy], slab.rows, slab.width, 25000000ull);
    CU(cudaGetLastError());
}
