#include "denoise.h"

namespace dn {
namespace {

__device__ int clamped(const int* p, int w, int h, int x, int y)
{
    x = min(max(x, 0), w - 1);
    y = min(max(y, 0), h - 1);
    return p[y * w + x];
}

template <int DX, int DY>
__global__ void blur(Plane in, int* out, Taps t)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= in.width * in.height)
        return;
    const int x = i % in.width, y = i / in.width;
    int acc = t.bias;
    for (int k = -1; k <= 1; ++k)
        acc += t.weight[k + 1] * clamped(in.data, in.width, in.height, x + k * DX, y + k * DY);
    out[i] = acc;
}

__global__ void combine_kernel(const int* a, const int* b, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] + 3 * b[i];
}

int blocks(int n) { return (n + 255) / 256; }

}  // namespace

void blur_rows(Plane in, int* out, Taps taps, cudaStream_t s)
{
    blur<1, 0><<<blocks(in.size()), 256, 0, s>>>(in, out, taps);
    DN_CALL(cudaGetLastError());
}

void blur_columns(Plane in, int* out, Taps taps, cudaStream_t s)
{
    blur<0, 1><<<blocks(in.size()), 256, 0, s>>>(in, out, taps);
    DN_CALL(cudaGetLastError());
}

void combine(const int* a, const int* b, Plane out, cudaStream_t s)
{
    combine_kernel<<<blocks(out.size()), 256, 0, s>>>(a, b, out.data, out.size());
    DN_CALL(cudaGetLastError());
}

}  // namespace dn
