#include "worker.cuh"
#include <atomic>
#include <cstring>

namespace {

__global__ void seed(uint32_t* cells, uint32_t rank)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kCells; i += gridDim.x * blockDim.x)
        cells[i] = i * 31u + rank;
}

__global__ void pack(const uint32_t* cells, uint32_t* outbox) { outbox[threadIdx.x] = cells[threadIdx.x]; }

__global__ void advance(uint32_t* cells, long long cycles)
{
    long long start = clock64();
    while (clock64() - start < cycles) {}
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kCells; i += gridDim.x * blockDim.x)
        cells[i] = cells[i] * 1664525u + 1013904223u;
}

__global__ void absorb(uint32_t* cells, const uint32_t* inbox, const volatile uint32_t* arrived, uint32_t step)
{
    if (threadIdx.x == 0) {
        while (*arrived < step) __nanosleep(500);
        __threadfence_system();
    }
    __syncthreads();
    cells[threadIdx.x] ^= __ldcg(inbox + threadIdx.x);
}

}  // namespace

Link::Link()
{
    check(cudaHostAlloc(&words_, 2 * 32 * sizeof(uint32_t), cudaHostAllocMapped));
    std::memset(words_, 0, 2 * 32 * sizeof(uint32_t));
}

Link::~Link() { cudaFreeHost(words_); }

void Link::post(int to, uint32_t step)
{
    std::atomic_thread_fence(std::memory_order_seq_cst);
    *const_cast<volatile uint32_t*>(word(to)) = step;
}

void Worker::preload()
{
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, seed));
    check(cudaFuncGetAttributes(&attributes, pack));
    check(cudaFuncGetAttributes(&attributes, advance));
    check(cudaFuncGetAttributes(&attributes, absorb));
}

Worker::Worker(int rank, Link& link, prof::Profile& profile) : rank_(rank), link_(link), profile_(profile)
{
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&packed_, cudaEventDisableTiming));
    check(cudaMalloc(&cells_, kCells * sizeof(uint32_t)));
    check(cudaMalloc(&outbox_, 2 * kHalo * sizeof(uint32_t)));
    seed<<<32, 256, 0, stream_>>>(cells_, rank_);
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream_));
}

Worker::~Worker()
{
    cudaFree(cells_);
    cudaFree(outbox_);
    cudaEventDestroy(packed_);
    cudaStreamDestroy(stream_);
}

void Worker::run(uint32_t steps)
{
    for (uint32_t step = 1; step <= steps; ++step) {
        {
            prof::Scope scope(profile_, rank_ == 0 ? "west" : "east", stream_);
            pack<<<1, kHalo, 0, stream_>>>(cells_, outbox_ + (step & 1) * kHalo);
            check(cudaGetLastError());
            check(cudaEventRecord(packed_, stream_));
            advance<<<32, 256, 0, stream_>>>(cells_, 20000000);
            check(cudaGetLastError());
            absorb<<<1, kHalo, 0, stream_>>>(cells_, peer_->outbox(step), link_.word(rank_), step);
            check(cudaGetLastError());
        }
        check(cudaEventSynchronize(packed_));
        link_.post(1 - rank_, step);
    }
    check(cudaStreamSynchronize(stream_));
}

std::vector<uint32_t> Worker::cells() const
{
    std::vector<uint32_t> host(kCells);
    check(cudaMemcpy(host.data(), cells_, kCells * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    return host;
}
