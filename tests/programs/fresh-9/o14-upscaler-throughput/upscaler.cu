#include "upscaler.h"

namespace sr {

namespace {
__host__ __device__ inline unsigned char source(int i) { return (unsigned char)((i * 37) ^ (i >> 5)); }

__global__ void fillTiles(unsigned char* in, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) in[i] = source(i);
}

__global__ void upscaleTile(const unsigned char* in, unsigned char* out, TileShape sh) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    while (t - t0 < 20000000ull);
    const int w = sh.width * sh.factor, n = w * sh.height * sh.factor;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int x = i % w / sh.factor, y = i / w / sh.factor;
        out[i] = (unsigned char)(255 - in[y * sh.width + x]);
    }
}
}  // namespace

Upscaler::Upscaler(int tiles, TileShape shape) : tiles_(tiles), shape_(shape) {
    const int n = tiles * shape.width * shape.height;
    verify(cudaMalloc(&in_, n));
    verify(cudaMalloc(&out_, pixels()));
    fillTiles<<<32, 256>>>(in_, n);
    verify(cudaMemset(out_, 0, pixels()));
    verify(cudaDeviceSynchronize());
}

Upscaler::~Upscaler() {
    verify(cudaFree(out_));
    verify(cudaFree(in_));
}

int Upscaler::enqueue(int tile, cudaStream_t s) const {
    const size_t inOff = size_t(tile) * shape_.width * shape_.height;
    upscaleTile<<<4, 256, 0, s>>>(in_ + inOff, out_ + size_t(tile) * shape_.outPixels(), shape_);
    verify(cudaGetLastError());
    return shape_.outPixels();
}

int Upscaler::mismatches() const {
    std::vector<unsigned char> got(pixels());
    verify(cudaMemcpy(got.data(), out_, got.size(), cudaMemcpyDeviceToHost));
    const int w = shape_.width * shape_.factor, per = shape_.outPixels();
    int wrong = 0;
    for (int i = 0; i < pixels(); ++i) {
        const int t = i / per, r = i % per, x = r % w / shape_.factor, y = r / w / shape_.factor;
        if (got[i] != (unsigned char)(255 - source((t * shape_.height + y) * shape_.width + x))) ++wrong;
    }
    return wrong;
}

}  // namespace sr
