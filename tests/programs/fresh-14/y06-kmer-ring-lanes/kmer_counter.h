#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gpu.h"
#include "read_ring.h"

constexpr int kBins = 256;  // all 4-mers, two bits a base

class KmerCounter {
public:
    using Parser = std::function<void(int batch, std::uint8_t* out, std::size_t n)>;

    KmerCounter(std::size_t batchBases, int batches, Parser parser);
    ~KmerCounter();

    void submit(int batch);
    std::vector<unsigned> histograms();

private:
    std::size_t n_;
    int batches_;
    Parser parser_;
    gpu::Stream stream_;
    ReadRing ring_;
    std::uint8_t* bases_ = nullptr;
    unsigned* bins_ = nullptr;
};
