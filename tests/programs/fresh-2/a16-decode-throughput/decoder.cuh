#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <vector>

#define DEC_TRY(expr)                                                \
    do {                                                             \
        if (cudaError_t e_ = (expr)) {                               \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));         \
            std::fflush(stdout);                                     \
            std::_Exit(1);                                           \
        }                                                            \
    } while (0)

namespace dec {

constexpr int kSymbols = 1 << 15;

struct Worker {
    int id = 0;
    cudaStream_t stream = nullptr;
    cudaEvent_t done = nullptr;
    unsigned* state = nullptr;
};

void init_worker(Worker& w, int id);
void free_worker(Worker& w);
void submit(Worker& w, int packets);
unsigned expected_symbol(int worker, int index, int packets);

}  // namespace dec
