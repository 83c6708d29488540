#include "tl/ops.h"

namespace tl {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 32;
constexpr long long kNormaliseNs = 25'000'000;

__device__ long long stamp() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return static_cast<long long>(t);
}

__global__ void iota_kernel(uint32_t* out, std::size_t n, uint32_t seed) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        out[i] = seed + static_cast<uint32_t>(i) * 2654435761u;
    }
}

__global__ void scale_add_kernel(const uint32_t* x, uint32_t* out, std::size_t n, uint32_t a, uint32_t b) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        out[i] = x[i] * a + b;
    }
}

__global__ void multiply_kernel(const uint32_t* x, const uint32_t* y, uint32_t* out, std::size_t n) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        out[i] = x[i] * (y[i] | 1u);
    }
}

__global__ void normalise_kernel(const uint32_t* x, uint32_t* out, std::size_t n, uint32_t shift, long long cost) {
    const long long begin = stamp();
    while (stamp() - begin < cost) {
    }
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        out[i] = (x[i] >> (shift & 7u)) ^ (x[i] * 2246822519u);
    }
}

Tensor normalise_with(const Tensor& x, uint32_t shift, long long cost) {
    Tensor out = Tensor::empty(x.numel());
    normalise_kernel<<<kBlocks, kThreads, 0, StreamGuard::current()>>>(x.data(), out.data(), x.numel(), shift, cost);
    ok(cudaGetLastError());
    return out;
}

}  // namespace

Tensor Tensor::empty(std::size_t n) {
    Block* block = CachingAllocator::instance().acquire(n * sizeof(uint32_t), StreamGuard::current());
    std::shared_ptr<Block> storage(block, [](Block* b) { CachingAllocator::instance().release(b); });
    return Tensor(std::move(storage), n);
}

std::vector<uint32_t> Tensor::to_host() const {
    std::vector<uint32_t> host(numel_);
    ok(cudaMemcpyAsync(host.data(), data(), numel_ * sizeof(uint32_t), cudaMemcpyDeviceToHost, stream()));
    ok(cudaStreamSynchronize(stream()));
    return host;
}

Tensor iota(std::size_t n, uint32_t seed) {
    Tensor out = Tensor::empty(n);
    iota_kernel<<<kBlocks, kThreads, 0, StreamGuard::current()>>>(out.data(), n, seed);
    ok(cudaGetLastError());
    return out;
}

Tensor scale_add(const Tensor& x, uint32_t a, uint32_t b) {
    Tensor out = Tensor::empty(x.numel());
    scale_add_kernel<<<kBlocks, kThreads, 0, StreamGuard::current()>>>(x.data(), out.data(), x.numel(), a, b);
    ok(cudaGetLastError());
    return out;
}

Tensor multiply(const Tensor& x, const Tensor& y) {
    Tensor out = Tensor::empty(x.numel());
    multiply_kernel<<<kBlocks, kThreads, 0, StreamGuard::current()>>>(x.data(), y.data(), out.data(), x.numel());
    ok(cudaGetLastError());
    return out;
}

Tensor normalise(const Tensor& x, uint32_t shift) { return normalise_with(x, shift, kNormaliseNs); }

void warm_up(std::size_t n) {
    const Tensor a = iota(n, 1u);
    const Tensor b = scale_add(a, 3u, 4u);
    const Tensor c = multiply(a, b);
    const Tensor d = normalise_with(c, 2u, 0);
    ok(cudaStreamSynchronize(StreamGuard::current()));
}

}  // namespace tl
