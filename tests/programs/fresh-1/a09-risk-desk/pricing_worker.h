#pragma once
#include <cuda_runtime.h>

#include "block_pool.h"

namespace desk {

struct Batch {
    int id = 0;
    int quotes = 0;
};

class PricingWorker {
public:
    PricingWorker(BlockPool& pool, int maxQuotes, double* totals);
    ~PricingWorker();
    PricingWorker(const PricingWorker&) = delete;
    PricingWorker& operator=(const PricingWorker&) = delete;

    void price(const Batch& batch);
    void close();

private:
    BlockPool& pool_;
    double* totals_;
    cudaStream_t stream_ = nullptr;
    float* quotes_ = nullptr;
};

}  // namespace desk
