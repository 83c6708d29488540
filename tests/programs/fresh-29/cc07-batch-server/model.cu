#include "model.cuh"

namespace srv {

namespace {

__global__ void score_kernel(const unsigned *tokens, unsigned *scores)
{
    const unsigned *t = tokens + blockIdx.x * kPrompt;
    unsigned *sc = scores + blockIdx.x * kPrompt * kPrompt;
    for (int k = threadIdx.x; k < kPrompt * kPrompt; k += blockDim.x)
        sc[k] = (t[k / kPrompt] * 31u) ^ (t[k % kPrompt] + 7u);
}

// The decoder stack: one pass of it takes as long as the production model.
__global__ void decode_kernel(const unsigned *scores, unsigned *sums, unsigned *out, unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);

    const unsigned *sc = scores + blockIdx.x * kPrompt * kPrompt;
    unsigned *row = sums + blockIdx.x * kPrompt;
    unsigned s = 0;
    for (int k = 0; k < kPrompt; ++k) s += sc[threadIdx.x * kPrompt + k];
    row[threadIdx.x] = s;
    __syncthreads();
    out[blockIdx.x * kPrompt + threadIdx.x] = s ^ row[(threadIdx.x + 1) % kPrompt];
}

} // namespace

void run_model(cudaStream_t s, const unsigned *tokens, unsigned *out, int requests, const Workspace &ws)
{
    score_kernel<<<requests, 128, 0, s>>>(tokens, ws.scores.data());
    check(cudaGetLastError());
    decode_kernel<<<requests, kPrompt, 0, s>>>(ws.scores.data(), ws.sums.data(), out, 40000000ull);
    check(cudaGetLastError());
}

void reference_model(const unsigned *tokens, unsigned *out)
{
    unsigned sums[kPrompt];
    for (int i = 0; i < kPrompt; ++i) {
        sums[i] = 0;
        for (int k = 0; k < kPrompt; ++k) sums[i] += (tokens[i] * 31u) ^ (tokens[k] + 7u);
    }
    for (int i = 0; i < kPrompt; ++i) out[i] = sums[i] ^ sums[(i + 1) % kPrompt];
}

} // namespace srv
