#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

namespace codec {

[[noreturn]] inline void quit(const char* name) {
    std::printf("ERROR %s\n", name);
    std::fflush(stdout);
    std::_Exit(1);
}
inline void run(cudaError_t rc) {
    if (rc != cudaSuccess) quit(cudaGetErrorName(rc));
}
inline void run(CUresult rc) {
    if (rc == CUDA_SUCCESS) return;
    const char* name = nullptr;
    cuGetErrorName(rc, &name);
    quit(name ? name : "unknown");
}

}  // namespace codec
