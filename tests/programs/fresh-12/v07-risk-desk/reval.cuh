#pragma once
#include <cstdint>

#include <cuda_runtime.h>

namespace desk {

// Fixed-point revaluation of one position under one scenario.
__host__ __device__ inline int64_t reprice(int64_t notional, int scenario) {
    const int64_t shock = 10000 + (scenario * 37) % 401 - 200;
    return notional * shock / 10000 + (notional & 15) * scenario;
}

cudaError_t revalue(const int64_t* notional, int64_t* value, int positions, int scenario);

}  // namespace desk
