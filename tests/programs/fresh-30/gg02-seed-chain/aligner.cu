#include "aligner.h"

#include <cuda.h>
#include <stdlib.h>

#include "conveyor.cuh"

struct aligner {
    plan_t plan;
    cudaStream_t feed;
    cudaStream_t seed;
    cudaStream_t chain;
    cudaEvent_t genome_up;
    cudaEvent_t armed;
    cudaEvent_t seeded;
    cudaEvent_t chained;
    unsigned char *genome;
    belt_t *belts;
    tally_t *tally;
    tally_t *totals;
    tally_t *host_totals;
};

#define TRY(call)                     \
    do {                              \
        int try_rc = (int)(call);     \
        if (try_rc != 0) return try_rc; \
    } while (0)

/* Cuts a lane's share of the genome into k-mers and puts the heavy ones on
 * the belt. */
__global__ void seed_lanes(belt_t *belts, const unsigned char *genome, unsigned int trays, unsigned int salt)
{
    belt_t *b = &belts[blockIdx.x];
    const unsigned int first = blockIdx.x * trays * kWidth;
    for (unsigned int k = 0; k < trays; ++k) {
        seed_t *tray = belt_acquire_empty(b, k);
        const unsigned int position = first + k * kWidth + threadIdx.x;
        seed_t s;
        s.key = kmer_key(genome + position, salt);
        s.position = position;
        s.weight = key_weight(s.key);
        tray[threadIdx.x] = s;
        belt_release_loaded(b, k);
    }
}

/* Takes seeds off the belt and extends them. */
__global__ void chain_lanes(belt_t *belts, tally_t *tally, unsigned int trays)
{
    __shared__ unsigned long long score;
    __shared__ unsigned int best, seen;
    belt_t *b = &belts[blockIdx.x];
    if (threadIdx.x == 0) {
        score = 0;
        best = 0;
        seen = 0;
    }
    __syncthreads();
    const unsigned int threshold = belt_peek(&b->threshold);
    for (unsigned int k = 0; k < trays; ++k) {
        const seed_t *tray = belt_acquire_loaded(b, k);
        const volatile seed_t *mine = (const volatile seed_t *)&tray[threadIdx.x];
        const unsigned long long key = mine->key;
        const unsigned int position = mine->position;
        const unsigned int weight = mine->weight;
        if (weight >= threshold) {
            const unsigned int e = extend_score(key, position);
            atomicAdd(&score, (unsigned long long)e);
            atomicMax(&best, e);
            atomicAdd(&seen, 1u);
        }
        belt_release_emptied(b, k);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        tally[blockIdx.x].score = score;
        tally[blockIdx.x].best = best;
        tally[blockIdx.x].seen = seen;
    }
}

__global__ void add_tally(tally_t *totals, const tally_t *tally, int lanes)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < lanes) {
        totals[i].score += tally[i].score;
        totals[i].best = totals[i].best > tally[i].best ? totals[i].best : tally[i].best;
        totals[i].seen += tally[i].seen;
    }
}

__global__ void arm_belts(belt_t *belts, int lanes, unsigned int threshold)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < lanes) {
        belts[i].loaded = 0;
        belts[i].emptied = 0;
        belts[i].threshold = threshold;
    }
}

static int fetch_kernels(void)
{
    const void *entry[] = {(const void *)seed_lanes, (const void *)chain_lanes, (const void *)add_tally,
                           (const void *)arm_belts};
    for (size_t i = 0; i < sizeof entry / sizeof entry[0]; ++i) {
        cudaFunction_t f;
        TRY(cudaGetFuncBySymbol(&f, entry[i]));
        if (cuFuncLoad((CUfunction)f) != CUDA_SUCCESS) return cudaErrorInvalidDeviceFunction;
    }
    return 0;
}

/* Two grids of `lanes` blocks share the device. */
int aligner_max_lanes(int *lanes)
{
    int device, sms, per_seed, per_chain;
    TRY(cudaGetDevice(&device));
    TRY(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_seed, seed_lanes, kWidth, 0));
    TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_chain, chain_lanes, kWidth, 0));
    if (per_seed < 1 || per_chain < 1) return cudaErrorLaunchOutOfResources;
    *lanes = sms / 2;
    return 0;
}

int aligner_open(aligner_t **out, const plan_t *plan)
{
    aligner_t *a = (aligner_t *)calloc(1, sizeof *a);
    if (!a) return cudaErrorMemoryAllocation;
    *out = a;
    a->plan = *plan;
    TRY(fetch_kernels());
    TRY(cudaStreamCreateWithFlags(&a->feed, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&a->seed, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&a->chain, cudaStreamNonBlocking));
    TRY(cudaEventCreateWithFlags(&a->genome_up, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&a->armed, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&a->seeded, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&a->chained, cudaEventDisableTiming));
    TRY(cudaMalloc((void **)&a->genome, plan->bases + kKmer));
    TRY(cudaMalloc((void **)&a->belts, sizeof(belt_t) * (size_t)plan->lanes));
    TRY(cudaMalloc((void **)&a->tally, sizeof(tally_t) * (size_t)plan->lanes));
    TRY(cudaMalloc((void **)&a->totals, sizeof(tally_t) * (size_t)plan->lanes));
    TRY(cudaMallocHost((void **)&a->host_totals, sizeof(tally_t) * (size_t)plan->lanes));
    TRY(cudaMemset(a->totals, 0, sizeof(tally_t) * (size_t)plan->lanes));
    TRY(cudaDeviceSynchronize());
    return 0;
}

int aligner_pass(aligner_t *a, const unsigned char *pinned_genome, unsigned int salt)
{
    const int lanes = a->plan.lanes;
    const int small = (lanes + 63) / 64;

    TRY(cudaStreamWaitEvent(a->feed, a->seeded, 0));
    TRY(cudaMemcpyAsync(a->genome, pinned_genome, a->plan.bases + kKmer, cudaMemcpyHostToDevice, a->feed));
    TRY(cudaEventRecord(a->genome_up, a->feed));

    arm_belts<<<small, 64, 0, a->chain>>>(a->belts, lanes, salt % 64u);
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(a->armed, a->chain));
    chain_lanes<<<lanes, kWidth, 0, a->chain>>>(a->belts, a->tally, a->plan.trays);
    TRY(cudaGetLastError());

    TRY(cudaEventSynchronize(a->genome_up));

    TRY(cudaStreamWaitEvent(a->seed, a->genome_up, 0));
    TRY(cudaStreamWaitEvent(a->seed, a->armed, 0));
    seed_lanes<<<lanes, kWidth, 0, a->seed>>>(a->belts, a->genome, a->plan.trays, salt);
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(a->seeded, a->seed));

    TRY(cudaStreamWaitEvent(a->chain, a->seeded, 0));
    add_tally<<<small, 64, 0, a->chain>>>(a->totals, a->tally, lanes);
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(a->chained, a->chain));
    return 0;
}

int aligner_collect(aligner_t *a, tally_t *per_lane)
{
    const size_t bytes = sizeof(tally_t) * (size_t)a->plan.lanes;
    TRY(cudaStreamWaitEvent(a->feed, a->chained, 0));
    TRY(cudaMemcpyAsync(a->host_totals, a->totals, bytes, cudaMemcpyDeviceToHost, a->feed));
    TRY(cudaStreamSynchronize(a->feed));
    for (int i = 0; i < a->plan.lanes; ++i) per_lane[i] = a->host_totals[i];
    return 0;
}

void aligner_close(aligner_t *a)
{
    if (!a) return;
    cudaFree(a->genome);
    cudaFree(a->belts);
    cudaFree(a->tally);
    cudaFree(a->totals);
    cudaFreeHost(a->host_totals);
    cudaEventDestroy(a->genome_up);
    cudaEventDestroy(a->armed);
    cudaEventDestroy(a->seeded);
    cudaEventDestroy(a->chained);
    cudaStreamDestroy(a->feed);
    cudaStreamDestroy(a->seed);
    cudaStreamDestroy(a->chain);
    free(a);
}
