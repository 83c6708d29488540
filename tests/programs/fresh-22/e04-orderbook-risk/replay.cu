#include "replay.h"

#include <algorithm>

namespace desk {

namespace {

__device__ unsigned long long nanoseconds()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Matching model: a fixed latency for the venue, then the fills are netted.
__global__ void netFills(const Fill* fills, int n, int* delta, unsigned long long latency)
{
    unsigned long long begin = nanoseconds();
    while (nanoseconds() - begin < latency) __nanosleep(1000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&delta[fills[i].symbol], fills[i].quantity);
}

constexpr unsigned long long kVenueLatency = 25ull * 1000 * 1000;

} // namespace

ReplayEngine::ReplayEngine(Book& book, std::size_t symbols, std::size_t fillsPerBatch)
    : book_(book), symbols_(symbols), capacity_(fillsPerBatch)
{
    CU_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (Slot& s : ring_) {
        s.owner = this;
        CU_TRY(cudaMallocHost(reinterpret_cast<void**>(&s.hostFills), capacity_ * sizeof(Fill)));
        CU_TRY(cudaMallocHost(reinterpret_cast<void**>(&s.hostDelta), symbols_ * sizeof(int)));
        CU_TRY(cudaMalloc(reinterpret_cast<void**>(&s.fills), capacity_ * sizeof(Fill)));
        CU_TRY(cudaMalloc(reinterpret_cast<void**>(&s.delta), symbols_ * sizeof(int)));
        CU_TRY(cudaEventCreateWithFlags(&s.delivered, cudaEventDisableTiming));
    }
}

ReplayEngine::~ReplayEngine()
{
    cudaStreamSynchronize(stream_);
    for (Slot& s : ring_) {
        cudaEventDestroy(s.delivered);
        cudaFree(s.delta);
        cudaFree(s.fills);
        cudaFreeHost(s.hostDelta);
        cudaFreeHost(s.hostFills);
    }
    cudaStreamDestroy(stream_);
}

void ReplayEngine::submit(const std::vector<Fill>& batch)
{
    Slot& s = ring_[next_++ % kDepth];
    CU_TRY(cudaEventSynchronize(s.delivered));

    const std::size_t n = std::min(batch.size(), capacity_);
    std::copy_n(batch.begin(), n, s.hostFills);

    CU_TRY(cudaMemcpyAsync(s.fills, s.hostFills, n * sizeof(Fill), cudaMemcpyHostToDevice, stream_));
    CU_TRY(cudaMemsetAsync(s.delta, 0, symbols_ * sizeof(int), stream_));
    netFills<<<8, 128, 0, stream_>>>(s.fills, static_cast<int>(n), s.delta, kVenueLatency);
    CU_TRY(cudaGetLastError());
    CU_TRY(cudaMemcpyAsync(s.hostDelta, s.delta, symbols_ * sizeof(int), cudaMemcpyDeviceToHost, stream_));
    CU_TRY(cudaLaunchHostFunc(stream_, &ReplayEngine::deliver, &s));
    CU_TRY(cudaEventRecord(s.delivered, stream_));
}

void CUDART_CB ReplayEngine::deliver(void* arg)
{
    Slot* slot = static_cast<Slot*>(arg);
    slot->owner->book_.apply(slot->hostDelta, slot->owner->symbols_);
}

void ReplayEngine::settle()
{
    CU_TRY(cudaStreamSynchronize(stream_));
}

} // namespace desk
