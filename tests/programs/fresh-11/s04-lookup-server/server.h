#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define DB_TRY(call)                                                  \
    do {                                                              \
        cudaError_t st_ = (call);                                     \
        if (st_ != cudaSuccess) {                                     \
            std::printf("ERROR %s\n", cudaGetErrorName(st_));         \
            std::fflush(stdout);                                      \
            std::_Exit(1);                                            \
        }                                                             \
    } while (0)

enum Op : int { kLookup = 1, kQuit = 2 };

// Shared page between the query front end and the lookup service on the device.
struct Mailbox {
    volatile unsigned posted;
    volatile unsigned acked;
    volatile int op;
    volatile unsigned first;
    volatile unsigned count;
    uint32_t* volatile out;
};

__host__ __device__ inline uint32_t slotOf(uint32_t key) {
    key ^= key >> 16;
    key *= 0x7feb352du;
    key ^= key >> 15;
    return key;
}

// Result rows of the batch in work; capacity in rows.
class ResultArena {
public:
    explicit ResultArena(size_t rows);
    ~ResultArena();
    uint32_t* reserve(size_t rows);

private:
    uint32_t* base_ = nullptr;
    size_t rows_ = 0;
};

// Answers batches of lookups for as long as the connection is open.
class LookupServer {
public:
    LookupServer(const uint32_t* table, uint32_t mask);
    ~LookupServer();

    void open();
    void close();
    void lookup(uint32_t first, uint32_t count, uint32_t* out);

private:
    void post(Op op);

    const uint32_t* table_;
    uint32_t mask_;
    cudaStream_t stream_ = nullptr;
    Mailbox* box_ = nullptr;
    Mailbox* deviceBox_ = nullptr;
    unsigned sequence_ = 0;
};
