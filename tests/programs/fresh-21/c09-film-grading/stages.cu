#include "stage.h"

namespace film {
namespace {

struct DeviceGrade {
    float4 row[3];
    float3 gamma;
};

DeviceGrade pack(const Grade& g) {
    DeviceGrade d;
    for (int r = 0; r < 3; ++r)
        d.row[r] = make_float4(g.matrix[4 * r], g.matrix[4 * r + 1], g.matrix[4 * r + 2], g.matrix[4 * r + 3]);
    d.gamma = make_float3(g.gamma[0], g.gamma[1], g.gamma[2]);
    return d;
}

__constant__ DeviceGrade currentGrade;

__global__ void copyAll(float4* to, const float4* from, std::size_t count) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) to[i] = from[i];
}

__device__ float channel(float4 row, float4 p, float gamma) {
    const float v = row.x * p.x + row.y * p.y + row.z * p.z + row.w;
    return v <= 0.f ? 0.f : powf(v, gamma);
}

__global__ void applyGrade(float4* pixels, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float4 p = pixels[i];
    const DeviceGrade& g = currentGrade;
    pixels[i] = make_float4(channel(g.row[0], p, g.gamma.x), channel(g.row[1], p, g.gamma.y),
                            channel(g.row[2], p, g.gamma.z), p.w);
}

__global__ void applyVignette(float4* pixels, int width, int height, float strength) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    const float x = 2.f * (i % width) / width - 1.f, y = 2.f * (i / width) / height - 1.f;
    const float k = 1.f - strength * (x * x + y * y);
    float4 p = pixels[i];
    p.x *= k;
    p.y *= k;
    p.z *= k;
    pixels[i] = p;
}

unsigned blocksFor(std::size_t count) { return static_cast<unsigned>((count + 255) / 256); }

}  // namespace

void copyPixels(float4* to, const float4* from, std::size_t count, cudaStream_t stream) {
    copyAll<<<blocksFor(count), 256, 0, stream>>>(to, from, count);
    check(cudaGetLastError());
}

void GradeStage::enqueue(const FrameView& frame, cudaStream_t stream) {
    const int count = frame.width * frame.height;
    const DeviceGrade grade = pack(frame.grade);
    check(cudaMemcpyToSymbol(currentGrade, &grade, sizeof(grade)));
    applyGrade<<<blocksFor(count), 256, 0, stream>>>(frame.pixels, count);
    check(cudaGetLastError());
}

void VignetteStage::enqueue(const FrameView& frame, cudaStream_t stream) {
    const int count = frame.width * frame.height;
    applyVignette<<<blocksFor(count), 256, 0, stream>>>(frame.pixels, frame.width, frame.height, strength_);
    check(cudaGetLastError());
}

}  // namespace film
