#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

struct RunLimits {
    int batches = 12;
    int reads_per_batch = 2048;
    int read_length = 100;
    std::size_t queue_depth = 4;
};

// Seeds found in one batch; `seeds` stays valid as long as the seeder.
struct BatchView {
    int batch = -1;
    const int* seeds = nullptr;
    int reads = 0;
};

class Seeder {
public:
    using Sink = std::function<void(const BatchView&)>;

    Seeder(const RunLimits& limits, Sink sink);
    ~Seeder();

    void submit(int batch, const std::vector<std::uint8_t>& bases);
    unsigned long long finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

int count_seeds(const std::uint8_t* read, int length);
