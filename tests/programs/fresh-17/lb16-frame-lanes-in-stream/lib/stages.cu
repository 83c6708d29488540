#include "stages.hpp"
#include <algorithm>

namespace vpp {
namespace {

dim3 gridFor(Size s, dim3 block)
{
    return dim3((s.width + block.x - 1) / block.x, (s.height + block.y - 1) / block.y);
}
const dim3 kBlock(32, 8);

__global__ void resampleKernel(Plane in, uint8_t *dst, size_t pitch, Size size)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= size.width || y >= size.height)
        return;
    const int sx = x * in.size.width / size.width;
    const int sy = y * in.size.height / size.height;
    dst[y * pitch + x] = in.data[sy * in.pitch + sx];
}

__global__ void gainOffsetKernel(Plane in, Plane out, float gain, float offset)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.size.width || y >= in.size.height)
        return;
    const float v = gain * in.data[y * in.pitch + x] + offset;
    out.data[y * out.pitch + x] = static_cast<uint8_t>(fminf(fmaxf(v, 0.f), 255.f));
}

__global__ void flipKernel(Plane in, Plane out)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.size.width || y >= in.size.height)
        return;
    out.data[(in.size.height - 1 - y) * out.pitch + x] = in.data[y * in.pitch + x];
}

} // namespace

void Letterbox::enqueue(const Plane &in, const Plane &out, cudaStream_t stream) const
{
    const float scale = std::min(1.f, std::min(float(out.size.width) / in.size.width, float(out.size.height) / in.size.height));
    const Size inner{int(in.size.width * scale), int(in.size.height * scale)};
    const int x0 = (out.size.width - inner.width) / 2;
    const int y0 = (out.size.height - inner.height) / 2;

    if (!(inner == out.size))
        VPP_CALL(cudaMemset2DAsync(out.data, out.pitch, border_, out.size.width, out.size.height, stream));
    uint8_t *dst = out.data + y0 * out.pitch + x0;
    resampleKernel<<<gridFor(inner, kBlock), kBlock, 0, stream>>>(in, dst, out.pitch, inner);
    VPP_CALL(cudaGetLastError());
}

void GainOffset::enqueue(const Plane &in, const Plane &out, cudaStream_t stream) const
{
    gainOffsetKernel<<<gridFor(in.size, kBlock), kBlock, 0, stream>>>(in, out, gain_, offset_);
    VPP_CALL(cudaGetLastError());
}

void FlipVertical::enqueue(const Plane &in, const Plane &out, cudaStream_t stream) const
{
    flipKernel<<<gridFor(in.size, kBlock), kBlock, 0, stream>>>(in, out);
    VPP_CALL(cudaGetLastError());
}

} // namespace vpp
