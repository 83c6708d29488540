#include "counter.h"

#include <cuda_runtime.h>

static constexpr unsigned long long kAlignNs = 15ull * 1000 * 1000;

__host__ __device__ static inline uint32_t bucket_of(uint32_t base, uint32_t salt)
{
    uint32_t h = (base ^ salt) * 2654435761u;
    return h >> 20;
}

uint32_t kmer_bucket(uint32_t base, uint32_t salt) { return bucket_of(base, salt); }

__global__ void count_kmers(const uint32_t *reads, int n, uint32_t salt, uint32_t *table,
                            unsigned long long align_ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < align_ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&table[bucket_of(reads[i], salt)], 1u);
}

static void CUDA_CB on_counted(void *user)
{
    Batch *b = static_cast<Batch *>(user);
    b->state.store(BatchState::Counted, std::memory_order_release);
    b->completed->fetch_add(1, std::memory_order_release);
}

void engine_open(Engine &e, const uint32_t *bases)
{
    DRV(cuInit(0));
    DRV(cuDeviceGet(&e.device, 0));
    DRV(cuDevicePrimaryCtxRetain(&e.context, e.device));
    DRV(cuCtxSetCurrent(e.context));

    cudaFunction_t fn = nullptr;
    cudaError_t rc = cudaGetFuncBySymbol(&fn, reinterpret_cast<const void *>(&count_kmers));
    if (rc != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::exit(1);
    }
    e.count = fn;

    DRV(cuMemAlloc(&e.reads, kReadBases * sizeof(uint32_t)));
    DRV(cuMemcpyHtoD(e.reads, bases, kReadBases * sizeof(uint32_t)));
    for (Lane &l : e.lane) {
        DRV(cuStreamCreate(&l.stream, CU_STREAM_NON_BLOCKING));
        DRV(cuMemAlloc(&l.table, kBuckets * sizeof(uint32_t)));
    }
    DRV(cuCtxSynchronize());
}

void engine_submit(Engine &e, Batch &b)
{
    Lane &l = e.lane[b.id % kLanes];
    b.state.store(BatchState::Queued, std::memory_order_relaxed);

    DRV(cuMemsetD32Async(l.table, 0, kBuckets, nullptr));

    int n = kReadBases;
    unsigned long long align_ns = kAlignNs;
    void *args[] = {&e.reads, &n, &b.salt, &l.table, &align_ns};
    DRV(cuLaunchKernel(e.count, 48, 1, 1, 128, 1, 1, 0, l.stream, args, nullptr));
    DRV(cuMemcpyDtoHAsync(b.spectrum, l.table, kBuckets * sizeof(uint32_t), l.stream));
    DRV(cuLaunchHostFunc(l.stream, on_counted, &b));
}

void engine_drain(Engine &e)
{
    for (Lane &l : e.lane)
        DRV(cuStreamSynchronize(l.stream));
}

void engine_close(Engine &e)
{
    for (Lane &l : e.lane) {
        DRV(cuStreamDestroy(l.stream));
        DRV(cuMemFree(l.table));
    }
    DRV(cuMemFree(e.reads));
    DRV(cuDevicePrimaryCtxRelease(e.device));
}
