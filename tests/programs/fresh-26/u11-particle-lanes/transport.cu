#include "transport.cuh"

namespace mc {

namespace {

__global__ void fly_kernel(unsigned* cells, unsigned* ids, unsigned seed, unsigned generation,
                           unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < kParticles; i += gridDim.x * blockDim.x) {
        ids[i] = i;
        cells[i] = landing_cell(seed, generation, i);
    }
}

// A block for each cell: finds the run of the cell in the grouped bank.
__global__ void score_kernel(const unsigned* cells, const unsigned* ids, unsigned long long* tally)
{
    __shared__ unsigned long long sum;
    const unsigned cell = blockIdx.x;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    int lo = 0, hi = kParticles;
    while (lo < hi) {
        const int mid = (lo + hi) / 2;
        if (cells[mid] < cell)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (int i = lo + threadIdx.x; i < kParticles && cells[i] == cell; i += blockDim.x)
        atomicAdd(&sum, static_cast<unsigned long long>(ids[i] % 1000u + 1u));
    __syncthreads();
    if (threadIdx.x == 0)
        tally[cell] += sum;
}

} // namespace

void fly(unsigned* cells, unsigned* ids, unsigned seed, unsigned generation, cudaStream_t s)
{
    fly_kernel<<<8, 256, 0, s>>>(cells, ids, seed, generation, kFlightNs);
    ok(cudaGetLastError());
}

void score(const unsigned* cells, const unsigned* ids, unsigned long long* tally, cudaStream_t s)
{
    score_kernel<<<kCells, 128, 0, s>>>(cells, ids, tally);
    ok(cudaGetLastError());
}

} // namespace mc
