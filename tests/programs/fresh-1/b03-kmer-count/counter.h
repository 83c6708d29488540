#pragma once
// K-mer spectrum engine: lanes run batches of reads, each batch yields one spectrum.

#include <atomic>
#include <cuda.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int kLanes = 2;
constexpr int kBuckets = 4096;
constexpr int kReadBases = 1 << 17;

#define DRV(call)                                        \
    do {                                                 \
        CUresult drv_rc = (call);                        \
        if (drv_rc != CUDA_SUCCESS) {                    \
            const char *drv_name = "unknown";            \
            cuGetErrorName(drv_rc, &drv_name);           \
            std::printf("ERROR %s\n", drv_name);         \
            std::exit(1);                                \
        }                                                \
    } while (0)

enum class BatchState : int { Empty, Queued, Counted };

struct Batch {
    int id = 0;
    uint32_t salt = 0;
    std::atomic<BatchState> state{BatchState::Empty};
    uint32_t *spectrum = nullptr;  // page-locked, kBuckets entries
    std::atomic<int> *completed = nullptr;
};

struct Lane {
    CUstream stream = nullptr;
    CUdeviceptr table = 0;
};

struct Engine {
    CUdevice device = 0;
    CUcontext context = nullptr;
    CUfunction count = nullptr;
    CUdeviceptr reads = 0;
    Lane lane[kLanes];
};

void engine_open(Engine &e, const uint32_t *bases);
void engine_submit(Engine &e, Batch &b);
void engine_drain(Engine &e);
void engine_close(Engine &e);
uint32_t kmer_bucket(uint32_t base, uint32_t salt);
