#include "lane.h"

namespace {
__global__ void score(const float* in, float* out, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (std::size_t i = threadIdx.x; i < kFeatures; i += blockDim.x) out[i] = in[i] * 2.0f + 1.0f;
}
}  // namespace

Lane::Lane(int depth) : features_(depth * kFeatures), scores_(depth * kFeatures) {
    ensure(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ensure(cudaMalloc(&in_, kFeatures * sizeof(float)));
    ensure(cudaMalloc(&out_, kFeatures * sizeof(float)));
}

Lane::~Lane() {
    cudaStreamSynchronize(stream_);
    cudaFree(in_);
    cudaFree(out_);
    cudaStreamDestroy(stream_);
}

void Lane::submit(int turn, int key) {
    constexpr std::size_t bytes = kFeatures * sizeof(float);
    float* f = features_.data() + turn * kFeatures;
    for (std::size_t i = 0; i < kFeatures; ++i) f[i] = static_cast<float>((i + key * 131) % 1000);
    ensure(cudaMemcpyAsync(in_, f, bytes, cudaMemcpyHostToDevice, stream_));
    score<<<1, 128, 0, stream_>>>(in_, out_, 25'000'000ull);
    ensure(cudaGetLastError());
    ensure(cudaMemcpyAsync(scores_.data() + turn * kFeatures, out_, bytes, cudaMemcpyDeviceToHost, stream_));
}

void Lane::wait() { ensure(cudaStreamSynchronize(stream_)); }
