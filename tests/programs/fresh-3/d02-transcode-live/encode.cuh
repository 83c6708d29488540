#pragma once
#include <cstdint>
#include <cuda_runtime.h>

void launch_encode(const uint8_t* frame, int16_t* coeffs, int width, int height, int quality, int budget_us,
                   cudaStream_t stream);

// One horizontal prediction + quantisation step, shared with the reference encoder.
__host__ __device__ inline int16_t predict_and_quantise(int left, int cur, int up, int quality) {
    int pred = (left + up + 1) >> 1;
    int d = cur - pred;
    int q = d >= 0 ? d / quality : -((-d) / quality);
    return static_cast<int16_t>(q);
}
