// vrand: handle-based device random numbers (counter based, state on device).
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

extern "C" {

typedef struct vrandContext* vrandHandle_t;
typedef enum { VRAND_OK = 0, VRAND_BAD_HANDLE = 1, VRAND_CUDA = 2 } vrandStatus_t;

vrandStatus_t vrandCreate(vrandHandle_t* handle, uint64_t seed);
vrandStatus_t vrandDestroy(vrandHandle_t handle);
vrandStatus_t vrandSetStream(vrandHandle_t handle, cudaStream_t stream);
// Uniform numbers in [-1, 1).
vrandStatus_t vrandUniform(vrandHandle_t handle, double* out, int n);

}

__host__ __device__ inline double vrandSample(uint64_t seed, uint64_t counter) {
    uint64_t z = seed + counter * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}
