#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define GLYPH_TRY(call)                                            \
    if (cudaError_t glyphRc = (call); glyphRc != cudaSuccess) {    \
        std::printf("ERROR %s\n", cudaGetErrorName(glyphRc));      \
        std::exit(1);                                              \
    }
