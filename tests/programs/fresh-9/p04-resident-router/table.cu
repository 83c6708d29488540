#include "router.h"

namespace router {
namespace {

// Administrative distance by the class of the next hop; lower wins.
__constant__ std::uint32_t g_distance[16] = {0, 1, 20, 90, 100, 110, 115, 120, 140, 160, 170, 200, 220, 240, 250, 255};
__device__ std::uint32_t g_generation[64] = {1, 1, 2, 3, 5, 8, 13, 21, 34, 55};

__global__ void install_routes(std::uint32_t* table, const Route* routes, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Route r = routes[i];
    if (i == 0) atomicAdd(&g_generation[0], 1u);
    if (g_distance[r.next_hop & 15u] < 255u) table[r.prefix & (kBuckets - 1)] = r.next_hop;
}

}  // namespace

void launch_install(std::uint32_t* table, const Route* routes, int n, cudaStream_t s) {
    install_routes<<<(n + 127) / 128, 128, 0, s>>>(table, routes, n);
    check(cudaGetLastError());
}

void preload_table_kernels() {
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, install_routes));
}

}  // namespace router
