#pragma once
#include "spectral.h"

struct spContext {
    int max_length = 0;
    int gain = 1;
    cudaStream_t stream = nullptr;
    cudaEvent_t handover = nullptr;
    int* scratch = nullptr;
    int* twiddle = nullptr;
    cudaError_t last = cudaSuccess;

    bool ok(cudaError_t e)
    {
        if (e != cudaSuccess) last = e;
        return e == cudaSuccess;
    }
};
