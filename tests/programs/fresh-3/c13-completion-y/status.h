#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define RETURN_IF(call)                         \
  do {                                          \
    cudaError_t st_ = (call);                   \
    if (st_ != cudaSuccess) return st_;         \
  } while (0)

#define EXIT_IF(call)                                        \
  do {                                                       \
    cudaError_t st_ = (call);                                \
    if (st_ != cudaSuccess) {                                \
      std::printf("ERROR %s\n", cudaGetErrorName(st_));      \
      std::exit(0);                                          \
    }                                                        \
  } while (0)
