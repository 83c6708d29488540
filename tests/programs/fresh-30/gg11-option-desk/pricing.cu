#include "pricing.cuh"

namespace desk {
namespace {

__device__ void simulate_for(long long ns) {
    long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ void clear_quote(Quote* q) {
    q->value = 0;
    q->delta = 0;
}

__global__ void price_leg(Leg leg, Quote* q) {
    const int path = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    simulate_for(600000);
    if (path < kPaths) atomicAdd(&q->value, static_cast<unsigned long long>(payoff(leg, path)));
}

__global__ void settle_quote(Quote* q) { q->delta = q->value / 97u; }

__global__ void hedge(const Quote* q, unsigned long long* units, uint32_t ratio) {
    const int path = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    simulate_for(300000);
    if (path < kPaths) atomicAdd(units, static_cast<unsigned long long>(hedge_units(q->value, ratio, path)));
}

}  // namespace

void enqueue_clear(Quote* q, cudaStream_t s) { clear_quote<<<1, 1, 0, s>>>(q); }
void enqueue_leg(const Leg& leg, Quote* q, cudaStream_t s) { price_leg<<<kBlocks, kThreads, 0, s>>>(leg, q); }
void enqueue_settle(Quote* q, cudaStream_t s) { settle_quote<<<1, 1, 0, s>>>(q); }
const void* hedge_entry() { return reinterpret_cast<const void*>(&hedge); }

}  // namespace desk
