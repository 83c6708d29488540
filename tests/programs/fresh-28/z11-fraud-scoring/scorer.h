#pragma once
#include <future>
#include "batch_pool.h"

namespace fraud {

struct Verdict {
    int batch;
    int alarms;
    std::uint64_t total;
};

// Scores batches one after the other; the verdict arrives through the future.
class Scorer {
public:
    explicit Scorer(const ServiceConfig& config);
    ~Scorer();
    Scorer(const Scorer&) = delete;
    Scorer& operator=(const Scorer&) = delete;

    std::future<Verdict> submit(const BatchPtr& batch);

private:
    struct Completion;
    static void CUDART_CB onScored(void* raw);

    ServiceConfig config_;
    cudaStream_t stream_ = nullptr;
    int* features_ = nullptr;
    int* scores_ = nullptr;
    int* scoresHost_ = nullptr;  // batches x rows
};

}  // namespace fraud
