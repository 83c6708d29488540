#pragma once

namespace star {

__host__ __device__ inline unsigned response(unsigned adu, unsigned frame)
{
    return (adu ^ (adu >> 7)) * 2654435761u + frame;
}

__global__ void flatten(const unsigned* raw, unsigned* flat, int n, unsigned frame, long long dwell)
{
    const long long begin = clock64();
    while (clock64() - begin < dwell) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        flat[i] = response(raw[i], frame);
}

}  // namespace star
