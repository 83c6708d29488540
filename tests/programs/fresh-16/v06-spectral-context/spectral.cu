#include "context.h"

#include <new>
#include <vector>

namespace {

constexpr int kThreads = 256;
constexpr unsigned long long kPassNs = 30000000ull;

__device__ void occupy(unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ void band_pass(const int* trace, const int* twiddle, int* scratch, int n,
                          unsigned long long ns)
{
    occupy(ns);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) scratch[i] = trace[i] * twiddle[i];
}

__global__ void mirror_pass(const int* scratch, int* spectrum, int n, int gain,
                            unsigned long long ns)
{
    occupy(ns);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) spectrum[i] = gain * (scratch[i] + scratch[n - 1 - i]);
}

int grid(int n) { return (n + kThreads - 1) / kThreads; }

bool run(spContext* c, const int* trace, int* spectrum, int n, unsigned long long ns)
{
    band_pass<<<grid(n), kThreads, 0, c->stream>>>(trace, c->twiddle, c->scratch, n, ns);
    if (!c->ok(cudaGetLastError())) return false;
    mirror_pass<<<grid(n), kThreads, 0, c->stream>>>(c->scratch, spectrum, n, c->gain, ns);
    return c->ok(cudaGetLastError());
}

// Touches tables, scratch and both passes once so that the first transform of
// a survey costs as much as the later ones.
bool calibrate(spContext* c)
{
    int* tmp = nullptr;
    if (!c->ok(cudaMalloc(&tmp, 2 * c->max_length * sizeof(int)))) return false;
    bool good = c->ok(cudaMemset(tmp, 0, 2 * c->max_length * sizeof(int))) &&
                run(c, tmp, tmp + c->max_length, c->max_length, 1000) &&
                c->ok(cudaDeviceSynchronize());
    cudaFree(tmp);
    return good;
}

}  // namespace

spStatus_t spCreate(spHandle_t* handle, int max_length)
{
    if (!handle || max_length <= 0) return SP_INVALID_VALUE;
    spContext* c = new (std::nothrow) spContext;
    if (!c) return SP_INVALID_VALUE;
    *handle = c;
    c->max_length = max_length;

    std::vector<int> table(max_length);
    for (int i = 0; i < max_length; ++i) table[i] = 1 + (i * 5) % 17;
    const size_t bytes = max_length * sizeof(int);
    const bool good =
        c->ok(cudaEventCreateWithFlags(&c->handover, cudaEventDisableTiming)) &&
        c->ok(cudaMalloc(&c->scratch, bytes)) && c->ok(cudaMalloc(&c->twiddle, bytes)) &&
        c->ok(cudaMemcpy(c->twiddle, table.data(), bytes, cudaMemcpyHostToDevice)) &&
        calibrate(c);
    return good ? SP_SUCCESS : SP_CUDA_FAILURE;
}

spStatus_t spDestroy(spHandle_t c)
{
    if (!c) return SP_INVALID_VALUE;
    cudaFree(c->twiddle);
    cudaFree(c->scratch);
    cudaEventDestroy(c->handover);
    delete c;
    return SP_SUCCESS;
}

spStatus_t spSetStream(spHandle_t c, cudaStream_t stream)
{
    if (!c) return SP_INVALID_VALUE;
    if (stream == c->stream) return SP_SUCCESS;
    if (!c->ok(cudaEventRecord(c->handover, c->stream)) ||
        !c->ok(cudaStreamWaitEvent(stream, c->handover, 0)))
        return SP_CUDA_FAILURE;
    c->stream = stream;
    return SP_SUCCESS;
}

spStatus_t spSetGain(spHandle_t c, int gain)
{
    if (!c) return SP_INVALID_VALUE;
    c->gain = gain;
    return SP_SUCCESS;
}

spStatus_t spTransform(spHandle_t c, const int* trace, int* spectrum, int length)
{
    if (!c || !trace || !spectrum || length <= 0 || length > c->max_length)
        return SP_INVALID_VALUE;
    return run(c, trace, spectrum, length, kPassNs) ? SP_SUCCESS : SP_CUDA_FAILURE;
}

const char* spLastCudaError(spHandle_t c) { return cudaGetErrorName(c->last); }
