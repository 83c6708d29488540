#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define ETL_OK(call) ::etl::check((call))

namespace etl {
inline void check(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}
}  // namespace etl
