#include "random_service.h"
#include <algorithm>
#include <atomic>
#include <thread>

namespace rnd {
namespace {

__host__ __device__ inline std::uint32_t mix(std::uint64_t seed, std::uint64_t index)
{
    std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}

__global__ void generate(Control* control, std::uint32_t* ring, unsigned words, unsigned depth,
                         std::uint64_t seed)
{
    __shared__ bool more;
    volatile Control* c = control;
    for (unsigned long long n = 0;; ++n) {
        if (threadIdx.x == 0) {
            more = true;
            while (n - c->tail >= depth) {
                if (c->stop) {
                    more = false;
                    break;
                }
                __nanosleep(1000);
            }
            if (c->stop) more = false;
            __threadfence_system();
        }
        __syncthreads();
        if (!more) return;
        std::uint32_t* slot = ring + (n % depth) * words;
        for (unsigned i = threadIdx.x; i < words; i += blockDim.x) slot[i] = mix(seed, n * words + i);
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) c->head = n + 1;
    }
}

}  // namespace

std::uint32_t reference_value(std::uint64_t seed, std::uint64_t index) { return mix(seed, index); }

RandomService::RandomService(std::uint64_t seed, unsigned block_words, unsigned depth)
    : block_words_(block_words),
      depth_(depth),
      control_(1),
      ring_(static_cast<size_t>(block_words) * depth),
      running_(control_.host())
{
    generate<<<1, 256, 0, stream_.get()>>>(control_.device(), ring_.device(), block_words_, depth_, seed);
    check(cudaGetLastError());
}

void RandomService::next_block(std::uint32_t* out)
{
    volatile Control* c = control_.host();
    while (c->head <= taken_) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_acquire);
    const std::uint32_t* slot = ring_.host() + (taken_ % depth_) * block_words_;
    std::copy(slot, slot + block_words_, out);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    c->tail = ++taken_;
}

}  // namespace rnd
