#include "lane.cuh"

namespace vid {
namespace {

__host__ __device__ unsigned short smooth(const unsigned short* p, int x, int y) {
    unsigned sum = 0, cnt = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            const int xx = x + dx, yy = y + dy;
            if (xx < 0 || yy < 0 || xx >= kW || yy >= kH) continue;
            sum += p[yy * kW + xx];
            ++cnt;
        }
    }
    return static_cast<unsigned short>(sum / cnt);
}

__device__ unsigned long long tick_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Non-local search stage; every block keeps refining until the quality budget is spent.
__global__ void denoise(const unsigned short* src, unsigned short* dst, unsigned long long budget) {
    const unsigned long long t0 = tick_ns();
    do {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kPixels;
             i += gridDim.x * blockDim.x)
            dst[i] = smooth(src, i % kW, i / kW);
    } while (tick_ns() - t0 < budget);
}

}  // namespace

Lane::Lane(int id) : id_(id), src_(kPixels), dst_(kPixels) {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    must(cudaMalloc(reinterpret_cast<void**>(&d_src_), kPixels * sizeof(unsigned short)));
    must(cudaMalloc(reinterpret_cast<void**>(&d_dst_), kPixels * sizeof(unsigned short)));
    for (int i = 0; i < kPixels; ++i)
        src_[i] = static_cast<unsigned short>((i * 37 + id_ * 101) % 1021);
}

Lane::~Lane() {
    must(cudaStreamSynchronize(stream_));
    must(cudaStreamDestroy(stream_));
    must(cudaFree(d_src_));
    must(cudaFree(d_dst_));
}

void Lane::enqueue() {
    const size_t bytes = kPixels * sizeof(unsigned short);
    must(cudaMemcpyAsync(d_src_, src_.data(), bytes, cudaMemcpyHostToDevice, stream_));
    denoise<<<12, 128, 0, stream_>>>(d_src_, d_dst_, 30000000ull);
    must(cudaGetLastError());
    must(cudaMemcpyAsync(dst_.data(), d_dst_, bytes, cudaMemcpyDeviceToHost, stream_));
}

void Lane::finish() { must(cudaStreamSynchronize(stream_)); }

long Lane::mismatches() const {
    long bad = 0;
    for (int y = 0; y < kH; ++y)
        for (int x = 0; x < kW; ++x)
            if (dst_[y * kW + x] != smooth(src_.data(), x, y)) ++bad;
    return bad;
}

}  // namespace vid
