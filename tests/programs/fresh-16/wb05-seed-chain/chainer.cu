#include "chainer.cuh"

namespace seedlib {

namespace {

constexpr unsigned long long kExtendNs = 60ull * 1000 * 1000;
constexpr int kBlocks = 8;
constexpr int kThreads = 256;

__host__ __device__ std::uint32_t mix(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    return x;
}

__device__ unsigned long long now_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void seed_kernel(std::uint32_t origin, std::uint32_t n, std::uint32_t* seeds) {
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        seeds[i] = mix(origin + i);
}

// The extension phase is modelled by its duration.
__global__ void chain_kernel(const std::uint32_t* seeds, std::uint32_t n, std::uint32_t* scores,
                             unsigned long long extend_ns) {
    const unsigned long long begin = now_ns();
    while (now_ns() - begin < extend_ns) {
    }
    const volatile std::uint32_t* s = seeds;
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        scores[i] = (s[i] >> 3) + (s[(i + 1) % n] & 7u);
}

}  // namespace

std::uint32_t minimiser(std::uint32_t position) { return mix(position); }
std::uint32_t chain_score(std::uint32_t a, std::uint32_t b) { return (a >> 3) + (b & 7u); }

void Chainer::score(const Chunk& chunk, std::uint32_t* scores, cudaStream_t stream) {
    DeviceArray<std::uint32_t> seeds(chunk.bases, mr_, stream);
    seed_kernel<<<kBlocks, kThreads, 0, stream>>>(chunk.origin, chunk.bases, seeds.data());
    SEED_TRY(cudaGetLastError());
    chain_kernel<<<kBlocks, kThreads, 0, stream>>>(seeds.data(), chunk.bases, scores, kExtendNs);
    SEED_TRY(cudaGetLastError());
}

void Chainer::warm(std::uint32_t bases, std::uint32_t* scores, cudaStream_t stream) {
    DeviceArray<std::uint32_t> seeds(bases, mr_, stream);
    seed_kernel<<<kBlocks, kThreads, 0, stream>>>(0, bases, seeds.data());
    chain_kernel<<<kBlocks, kThreads, 0, stream>>>(seeds.data(), bases, scores, 0);
    SEED_TRY(cudaGetLastError());
    SEED_TRY(cudaStreamSynchronize(stream));
}

}  // namespace seedlib
