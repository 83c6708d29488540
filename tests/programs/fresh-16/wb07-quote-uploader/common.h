#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

inline void ok(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

struct Session {
    cudaStream_t transfer = nullptr;
    cudaStream_t compute = nullptr;
    Session() {
        ok(cudaStreamCreateWithFlags(&transfer, cudaStreamNonBlocking));
        ok(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
    }
    ~Session() {
        cudaStreamDestroy(compute);
        cudaStreamDestroy(transfer);
    }
};
