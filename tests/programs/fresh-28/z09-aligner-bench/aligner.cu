#include "aligner.h"

namespace genome {
namespace {

__host__ __device__ std::uint32_t seedOf(std::uint32_t read)
{
    read ^= read >> 16;
    read *= 0x7feb352du;
    return read ^ (read >> 15);
}

__host__ __device__ std::uint32_t scoreOf(std::uint32_t seed) { return (seed >> 7) + (seed & 0x7fu); }

__device__ void busyFor(unsigned long long ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < ns);
}

__global__ void seedReads(std::uint32_t* seeds, int firstRead, int reads)
{
    busyFor(1500000ull);
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < reads; r += gridDim.x * blockDim.x)
        seeds[r] = seedOf(firstRead + r);
}

__global__ void extendReads(const std::uint32_t* seeds, std::uint32_t* scores, int reads)
{
    busyFor(25000000ull);
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < reads; r += gridDim.x * blockDim.x)
        scores[r] = scoreOf(seeds[r]);
}

}  // namespace

Aligner::Aligner(const AlignerOptions& options)
    : options_(options),
      lanes_(options.lanes),
      reads_(static_cast<std::size_t>(options.batches) * options.readsPerBatch)
{
    GX_TRY(cudaStreamCreateWithFlags(&ingress_, cudaStreamNonBlocking));
    GX_TRY(cudaStreamCreateWithFlags(&egress_, cudaStreamNonBlocking));
    for (Lane& lane : lanes_) {
        GX_TRY(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
        GX_TRY(cudaEventCreateWithFlags(&lane.seeded, cudaEventDisableTiming));
        GX_TRY(cudaEventCreateWithFlags(&lane.extended, cudaEventDisableTiming));
    }
    GX_TRY(cudaMalloc(&seeds_, reads_ * sizeof(*seeds_)));
    GX_TRY(cudaMalloc(&scores_, reads_ * sizeof(*scores_)));
    GX_TRY(cudaMallocHost(&scoresHost_, reads_ * sizeof(*scoresHost_)));
}

Aligner::~Aligner()
{
    cudaFreeHost(scoresHost_);
    cudaFree(scores_);
    cudaFree(seeds_);
    for (Lane& lane : lanes_) {
        cudaEventDestroy(lane.extended);
        cudaEventDestroy(lane.seeded);
        cudaStreamDestroy(lane.stream);
    }
    cudaStreamDestroy(egress_);
    cudaStreamDestroy(ingress_);
}

void Aligner::submit(int batch)
{
    Lane& lane = lanes_[batch % lanes_.size()];
    const int reads = options_.readsPerBatch;
    const int first = batch * reads;
    seedReads<<<4, 128, 0, ingress_>>>(seeds_ + first, first, reads);
    GX_TRY(cudaEventRecord(lane.seeded, ingress_));
    GX_TRY(cudaStreamWaitEvent(lane.stream, lane.seeded, 0));
    extendReads<<<8, 128, 0, lane.stream>>>(seeds_ + first, scores_ + first, reads);
    GX_TRY(cudaGetLastError());
}

void Aligner::flush()
{
    for (Lane& lane : lanes_) {
        GX_TRY(cudaEventRecord(lane.extended, lane.stream));
        GX_TRY(cudaStreamWaitEvent(egress_, lane.extended, 0));
    }
    GX_TRY(cudaMemcpyAsync(scoresHost_, scores_, reads_ * sizeof(*scores_), cudaMemcpyDeviceToHost,
                           egress_));
}

int Aligner::wrongScores() const
{
    int wrong = 0;
    for (std::size_t r = 0; r < reads_; ++r)
        wrong += scoresHost_[r] != scoreOf(seedOf(static_cast<std::uint32_t>(r)));
    return wrong;
}

}  // namespace genome
