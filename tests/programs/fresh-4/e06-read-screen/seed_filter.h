#pragma once
#include "device_block_pool.h"
#include <cstdint>
#include <cuda_runtime.h>
#include <vector>

namespace seq {

// Host side of one read batch; bases are page-locked.
class ReadBatch {
public:
    explicit ReadBatch(std::size_t bases);
    ~ReadBatch();
    ReadBatch(ReadBatch&& o) noexcept;
    ReadBatch(const ReadBatch&) = delete;
    ReadBatch& operator=(const ReadBatch&) = delete;

    std::uint8_t* bases = nullptr;
    std::size_t size = 0;
};

class SeedFilter {
public:
    SeedFilter(DeviceBlockPool& pool, int lanes, int max_batches);
    ~SeedFilter();

    void submit(const ReadBatch& batch);
    const unsigned* collect();

private:
    DeviceBlockPool& pool_;
    std::vector<cudaStream_t> lanes_;
    unsigned* device_hits_ = nullptr;
    unsigned* host_hits_ = nullptr;
    int max_batches_;
    int next_ = 0;
};

}  // namespace seq
