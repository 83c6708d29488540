#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <cuda_runtime.h>

#include "channel.h"

constexpr int kReadsPerBatch = 512;
constexpr int kReadLength = 32;
constexpr int kMaxScore = kReadLength + 1;

void require(cudaError_t e);

// Reads and scores of one batch, in page-locked memory.
struct Batch {
    explicit Batch(int number);
    ~Batch();
    Batch(const Batch&) = delete;

    int number;
    char* bases = nullptr;
    std::int32_t* scores = nullptr;
};
using BatchPtr = std::shared_ptr<Batch>;

using Histogram = std::array<unsigned, kMaxScore>;

std::int32_t scoreRead(const char* read, const char* reference);

// Scores batches against a seed on one stream; finished batches arrive in the output channel.
class Mapper {
public:
    Mapper(const std::vector<char>& seed, Channel<BatchPtr>& output);
    ~Mapper();
    Mapper(const Mapper&) = delete;

    void submit(BatchPtr batch);
    Histogram histogram();

private:
    struct Delivery;
    static void CUDART_CB deliver(void* raw);

    Channel<BatchPtr>& output_;
    cudaStream_t stream_ = nullptr;
    char *seed_ = nullptr, *bases_ = nullptr;
    std::int32_t* scores_ = nullptr;
    unsigned *counts_ = nullptr, *countsHost_ = nullptr;
};
