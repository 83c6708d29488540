#include "lane.cuh"

namespace ct {

namespace {

__global__ void filter(unsigned* sino, int n, unsigned seed)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sino[i] = (static_cast<unsigned>(i) ^ seed) & 1023u;
}

__global__ void back_project(const unsigned* sino, int n, unsigned* digest)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    unsigned sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += sino[i];
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < 40000000ull);
    atomicAdd(digest, sum);
}

}  // namespace

template <typename Policy>
void lane<Policy>::enqueue(const scan_job& job)
{
    const int n = job.projections * kDetectors;
    unsigned* sino = scratch_.template get<unsigned>(n);
    filter<<<8, 256, 0, stream_>>>(sino, n, static_cast<unsigned>(job.seed));
    CT_CALL(cudaGetLastError());
    back_project<<<8, 256, 0, stream_>>>(sino, n, job.digest);
    CT_CALL(cudaGetLastError());
}

template class lane<monotonic_policy>;
template class lane<compact_policy>;

}  // namespace ct
