#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CU_OK(expr)                                            \
  do {                                                         \
    cudaError_t e_ = (expr);                                   \
    if (e_ != cudaSuccess) {                                   \
      std::printf("ERROR %s\n", cudaGetErrorName(e_));         \
      std::fflush(stdout);                                     \
      std::_Exit(2);                                           \
    }                                                          \
  } while (0)
