#pragma once
#include "frame.h"

// 3-tap vertical recursive denoiser.
__host__ __device__ inline uint8_t denoise_tap(int up, int mid, int down) { return (uint8_t)((up + 2 * mid + down + 2) >> 2); }

void enqueue_denoise(const uint8_t* in, uint8_t* out, Geometry g, int search_us, cudaStream_t s);
