#ifndef ISING_MAILBOX_H
#define ISING_MAILBOX_H

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

/* One mailbox per worker block, in host memory that the device can see.
 * The host writes order / op / sweeps, the worker writes served. */
struct Mailbox {
    uint32_t op;
    uint32_t sweeps;
    uint32_t order;
    uint32_t served;
    uint32_t pad[12];
};

enum : uint32_t { OP_SWEEP = 1, OP_LEAVE = 2 };

constexpr int kWorkers = 8;
constexpr int kCellsPerWorker = 4096;

inline void must(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

#endif
