#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                \
  do {                                                             \
    const cudaError_t check_status = (call);                       \
    if (check_status != cudaSuccess) {                             \
      std::printf("ERROR %s\n", cudaGetErrorName(check_status));   \
      std::exit(1);                                                \
    }                                                              \
  } while (0)
