#include "graph.h"

namespace loom {

namespace {

__global__ void fill_kernel(float* out, int count, float value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = value;
}

__global__ void axpy_kernel(float a, const float* x, float* y, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) y[i] += a * x[i];
}

__global__ void relax_kernel(const float* in, float* out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float left = in[i == 0 ? i : i - 1];
    float right = in[i == count - 1 ? i : i + 1];
    out[i] = 0.25f * left + 0.5f * in[i] + 0.25f * right;
}

int grid(int count) { return (count + 255) / 256; }

}  // namespace

Task fill(float* out, int count, float value) {
    return [=](cudaStream_t s) {
        fill_kernel<<<grid(count), 256, 0, s>>>(out, count, value);
        ok(cudaGetLastError());
    };
}

Task axpy(float a, const float* x, float* y, int count) {
    return [=](cudaStream_t s) {
        axpy_kernel<<<grid(count), 256, 0, s>>>(a, x, y, count);
        ok(cudaGetLastError());
    };
}

Task relax(float* field, float* scratch, int count, int sweeps) {
    return [=](cudaStream_t s) {
        for (int k = 0; k < sweeps; ++k) {
            relax_kernel<<<grid(count), 256, 0, s>>>(field, scratch, count);
            relax_kernel<<<grid(count), 256, 0, s>>>(scratch, field, count);
        }
        ok(cudaGetLastError());
    };
}

}  // namespace loom
