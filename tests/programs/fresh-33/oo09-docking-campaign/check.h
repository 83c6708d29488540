#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

namespace screen {

[[noreturn]] inline void abortRun(cudaError_t code, const char* file, int line) {
  std::fprintf(stderr, "[screen] %s:%d: %s\n", file, line, cudaGetErrorString(code));
  std::printf("ERROR %s\n", cudaGetErrorName(code));
  std::fflush(stdout);
  std::_Exit(1);
}

}  // namespace screen

#define SCREEN_CUDA(call)                                                                  \
  do {                                                                                     \
    cudaError_t screen_e_ = (call);                                                        \
    if (screen_e_ != cudaSuccess) ::screen::abortRun(screen_e_, __FILE__, __LINE__);       \
  } while (0)
