#pragma once
#include <cstdint>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cal {

struct Hit {
    uint32_t cell;
    uint32_t energy;
};

constexpr int kTowers = 64;

__host__ __device__ inline uint32_t calibrated(Hit h) { return h.energy * 3u + (h.cell & 7u); }

// Energy per tower of one event. The pedestal scan takes its time before the hits are summed.
static __global__ void sum_towers(const Hit* hits, int n, uint32_t* towers, unsigned long long pedestal_ns) {
    namespace cg = cooperative_groups;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());

    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < pedestal_ns);

    const int warps = blockDim.x / 32;
    for (int tower = warp.meta_group_rank(); tower < kTowers; tower += warps) {
        uint32_t e = 0;
        for (int i = warp.thread_rank(); i < n; i += 32) {
            if (hits[i].cell % kTowers == static_cast<uint32_t>(tower)) e += calibrated(hits[i]);
        }
        e = cg::reduce(warp, e, cg::plus<uint32_t>());
        if (warp.thread_rank() == 0) towers[tower] = e;
    }
}

}  // namespace cal
