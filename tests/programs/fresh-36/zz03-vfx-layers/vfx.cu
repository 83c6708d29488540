// Particle layers: every emitter spawns into scratch memory and then simulates into its own layer.
// Layers are issued in draw order; the workers take turns.
#include <cstdint>
#include <vector>

#include "job_system.h"
#include "platform.h"
#include "scratch_pool.h"

namespace vfx {

constexpr uint32_t kParticles = 4096;
constexpr int kEmitters = 9;
constexpr long long kSimTicks = 60'000'000;

using Fixed = uint32_t;  // 16.16

__host__ __device__ inline Fixed spawnState(uint32_t seed, uint32_t i) {
    uint32_t x = seed * 2654435761u ^ (i + 1) * 2246822519u;
    x ^= x >> 15;
    x *= 0x85ebca6bu;
    return x ^ (x >> 13);
}

__host__ __device__ inline Fixed integrate(Fixed s) {
    Fixed velocity = s & 0xffffu;
    return s + velocity * 3u + (9u << 16);
}

__global__ void spawn(Fixed* state, uint32_t seed) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kParticles) state[i] = spawnState(seed, i);
}

__global__ void simulate(const Fixed* state, Fixed* layer, long long ticks) {
    long long begin = clock64();
    while (clock64() - begin < ticks) {
    }
    __syncthreads();
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kParticles) layer[i] = integrate(state[i]);
}

struct EmitterJob {
    ScratchPool* pool;
    Fixed* layer;
    uint32_t seed;
};

void emitterMain(void* data, const WorkerContext& ctx) {
    auto* job = static_cast<EmitterJob*>(data);
    ScratchHandle scratch = job->pool->acquire();
    auto* state = job->pool->resolve<Fixed>(scratch);
    spawn<<<kParticles / 256, 256, 0, ctx.stream>>>(state, job->seed);
    GPU_CHECK(cudaGetLastError());
    simulate<<<kParticles / 256, 256, 0, ctx.stream>>>(state, job->layer, kSimTicks);
    GPU_CHECK(cudaGetLastError());
    job->pool->release(scratch);
}

}  // namespace vfx

int main() {
    using namespace vfx;
    Fixed* layers = nullptr;
    GPU_CHECK(cudaMalloc(&layers, kEmitters * kParticles * sizeof(Fixed)));

    ScratchPool pool(kParticles * sizeof(Fixed));
    EmitterJob emitters[kEmitters];
    JobCounter issued[kEmitters];
    size_t mismatches = 0;
    {
        JobSystem jobs;
        for (int e = 0; e < kEmitters; ++e) {
            emitters[e] = {&pool, layers + e * kParticles, 100u + e};
            issued[e].store(1, std::memory_order_relaxed);
            Job job;
            job.entry = emitterMain;
            job.data = &emitters[e];
            job.after = e > 0 ? &issued[e - 1] : nullptr;
            job.signals = &issued[e];
            jobs.kick(e % JobSystem::kWorkers, job);
        }
        JobSystem::waitFor(issued[kEmitters - 1]);
        jobs.flushGpu();

        std::vector<Fixed> frame(kEmitters * kParticles);
        GPU_CHECK(cudaMemcpy(frame.data(), layers, frame.size() * sizeof(Fixed), cudaMemcpyDeviceToHost));
        for (int e = 0; e < kEmitters; ++e)
            for (uint32_t i = 0; i < kParticles; ++i)
                if (frame[e * kParticles + i] != integrate(spawnState(emitters[e].seed, i))) ++mismatches;
    }
    GPU_CHECK(cudaFree(layers));
    if (mismatches)
        std::printf("WRONG %zu\n", mismatches);
    else
        std::puts("DONE");
    return 0;
}
