#include "vrand.h"

#include <new>

struct vrandContext {
    uint64_t seed = 0;
    uint64_t* counter = nullptr;   // device
    cudaStream_t own = nullptr;
    cudaStream_t stream = nullptr;
};

namespace {

__global__ void draw_uniform(uint64_t seed, const uint64_t* counter, double* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = vrandSample(seed, *counter + i);
}

__global__ void advance_counter(uint64_t* counter, int n) { *counter += n; }

}  // namespace

extern "C" vrandStatus_t vrandCreate(vrandHandle_t* handle, uint64_t seed) {
    auto* h = new (std::nothrow) vrandContext;
    if (!h) return VRAND_BAD_HANDLE;
    h->seed = seed;
    if (cudaMalloc(reinterpret_cast<void**>(&h->counter), sizeof(uint64_t)) != cudaSuccess) return VRAND_CUDA;
    if (cudaMemset(h->counter, 0, sizeof(uint64_t)) != cudaSuccess) return VRAND_CUDA;
    if (cudaDeviceSynchronize() != cudaSuccess) return VRAND_CUDA;
    if (cudaStreamCreateWithFlags(&h->own, cudaStreamNonBlocking) != cudaSuccess) return VRAND_CUDA;
    h->stream = h->own;
    *handle = h;
    return VRAND_OK;
}

extern "C" vrandStatus_t vrandDestroy(vrandHandle_t h) {
    if (!h) return VRAND_BAD_HANDLE;
    cudaStreamDestroy(h->own);
    cudaFree(h->counter);
    delete h;
    return VRAND_OK;
}

extern "C" vrandStatus_t vrandSetStream(vrandHandle_t h, cudaStream_t stream) {
    if (!h) return VRAND_BAD_HANDLE;
    h->stream = stream ? stream : h->own;
    return VRAND_OK;
}

extern "C" vrandStatus_t vrandUniform(vrandHandle_t h, double* out, int n) {
    if (!h) return VRAND_BAD_HANDLE;
    draw_uniform<<<(n + 127) / 128, 128, 0, h->stream>>>(h->seed, h->counter, out, n);
    advance_counter<<<1, 1, 0, h->stream>>>(h->counter, n);
    return cudaGetLastError() == cudaSuccess ? VRAND_OK : VRAND_CUDA;
}
