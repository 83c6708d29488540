#include "hash.cuh"

__global__ void follow_chains(uint32_t* out, int job, int links) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t x = chain_seed(job, t);
#pragma unroll 4
    for (int i = 0; i < links; ++i) x = mix(x);
    out[t] = x;
}

void enqueue(const Job& job, cudaStream_t stream) {
    follow_chains<<<job.blocks, job.threads, 0, stream>>>(job.d_out, job.id, job.links);
}
