#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define GYM_CHECK(call)                                                            \
  do {                                                                             \
    const cudaError_t gym_e_ = (call);                                             \
    if (gym_e_ != cudaSuccess) {                                                   \
      std::fprintf(stderr, "[gym] %s:%d %s\n", __FILE__, __LINE__, #call);         \
      std::printf("ERROR %s\n", cudaGetErrorName(gym_e_));                         \
      std::fflush(stdout);                                                         \
      std::_Exit(1);                                                               \
    }                                                                              \
  } while (0)
