#ifndef FX_KERNELS_CUH_
#define FX_KERNELS_CUH_

#include <cuComplex.h>

namespace fx {

constexpr int threads = 256;

inline unsigned blocksFor(size_t items) { return static_cast<unsigned>((items + threads - 1) / threads); }

// One radix-2 stage of the autosort algorithm; `stride` is 1, 2, 4 ... n/2.
__global__ void stage(const cuFloatComplex* __restrict__ in, cuFloatComplex* __restrict__ out,
                      const cuFloatComplex* __restrict__ twiddles, int n, int stride, size_t butterflies,
                      bool inverse)
{
    const size_t id = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (id >= butterflies) {
        return;
    }
    const int    half  = n / 2;
    const size_t row   = id / half;
    const int    local = static_cast<int>(id % half);
    const int    p     = local / stride;
    const int    q     = local % stride;
    const int    span  = half / stride;

    in += row * n;
    out += row * n;
    cuFloatComplex w = twiddles[p * stride];
    if (inverse) {
        w = cuConjf(w);
    }
    const cuFloatComplex a = in[q + stride * p];
    const cuFloatComplex b = in[q + stride * (p + span)];
    out[q + stride * (2 * p)]     = cuCaddf(a, b);
    out[q + stride * (2 * p + 1)] = cuCmulf(cuCsubf(a, b), w);
}

__global__ void scale(cuFloatComplex* data, size_t n, float factor)
{
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) {
        data[i].x *= factor;
        data[i].y *= factor;
    }
}

}  // namespace fx

#endif
