#include "server.h"

#include <cstdio>
#include <cstdlib>

namespace vis {

void verify(cudaError_t e, const char* what)
{
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "%s failed\n", what);
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

namespace {

__global__ void extract(std::uint32_t* out, std::size_t n, std::uint32_t frame)
{
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = feature(frame, std::uint32_t(i));
}

__device__ void reduceInto(const std::uint32_t* in, std::size_t n, std::uint32_t* sum)
{
    std::uint32_t part = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        part += in[i];
    atomicAdd(sum, part);
}

// Region proposals keep the detector busy for a while before it pools the features.
__global__ void detector(const std::uint32_t* in, std::size_t n, Verdict* v)
{
    unsigned long long t, until = 0;
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
        if (!until) until = t + 40000000ull;
    } while (t < until);
    reduceInto(in, n, &v->detection);
}

__global__ void embedder(const std::uint32_t* in, std::size_t n, Verdict* v)
{
    reduceInto(in, n, &v->embedding);
}

}  // namespace

Server::Server(int capacity) : capacity_(capacity)
{
    for (cudaStream_t* s : {&trunk_, &detect_, &embed_})
        verify(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking), "cudaStreamCreate");
    verify(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming), "cudaEventCreate");
    cudaMemPool_t pool = nullptr;
    std::uint64_t keep = UINT64_MAX;
    verify(cudaDeviceGetDefaultMemPool(&pool, 0), "cudaDeviceGetDefaultMemPool");
    verify(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "cudaMemPoolSetAttribute");
    verify(cudaMalloc(&verdicts_, capacity_ * sizeof(Verdict)), "cudaMalloc");
    verify(cudaMemset(verdicts_, 0, capacity_ * sizeof(Verdict)), "cudaMemset");
    verify(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

Server::~Server()
{
    cudaFree(verdicts_);
    cudaEventDestroy(ready_);
    for (cudaStream_t s : {trunk_, detect_, embed_}) cudaStreamDestroy(s);
}

Tensor Server::backbone(std::uint32_t frame)
{
    Tensor t = Tensor::empty(kFeatures, trunk_);
    extract<<<64, 256, 0, trunk_>>>(t.data(), t.size, frame);
    verify(cudaGetLastError(), "extract");
    verify(cudaEventRecord(ready_, trunk_), "cudaEventRecord");
    return t;
}

void Server::detect(const Tensor& features, int slot)
{
    verify(cudaStreamWaitEvent(detect_, ready_, 0), "cudaStreamWaitEvent");
    detector<<<16, 256, 0, detect_>>>(features.data(), features.size, verdicts_ + slot);
    verify(cudaGetLastError(), "detector");
}

void Server::embed(const Tensor& features, int slot)
{
    verify(cudaStreamWaitEvent(embed_, ready_, 0), "cudaStreamWaitEvent");
    features.storage->usedOn(embed_);
    embedder<<<16, 256, 0, embed_>>>(features.data(), features.size, verdicts_ + slot);
    verify(cudaGetLastError(), "embedder");
}

void Server::handle(std::uint32_t frame, int slot)
{
    const Tensor features = backbone(frame);
    detect(features, slot);
    embed(features, slot);
}

std::vector<Verdict> Server::drain()
{
    for (cudaStream_t s : {trunk_, detect_, embed_})
        verify(cudaStreamSynchronize(s), "cudaStreamSynchronize");
    std::vector<Verdict> out(capacity_);
    verify(cudaMemcpy(out.data(), verdicts_, capacity_ * sizeof(Verdict), cudaMemcpyDeviceToHost),
           "cudaMemcpy");
    return out;
}

}  // namespace vis
