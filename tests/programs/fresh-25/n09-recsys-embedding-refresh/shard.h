#pragma once
#include "gpu_memory.h"
#include <array>

namespace recsys {

// A shard ranks its own requests on its own stream; every request brings fresh embeddings.
class Shard {
public:
    Shard(int index, const RankerConfig& config);
    ~Shard();
    Shard(const Shard&) = delete;
    Shard& operator=(const Shard&) = delete;

    void serve(int requests);
    std::vector<float> scores() const;
    int requestId(int k) const { return index_ * config_.requestsPerShard + k; }

private:
    struct Table {
        SharedFloats host;
        SharedFloats device;
        cudaEvent_t consumed = nullptr;
    };

    void refresh(Table& table, int request);

    int index_;
    RankerConfig config_;
    cudaStream_t stream_ = nullptr;
    std::array<Table, 2> tables_;
    SharedFloats scores_;
};

}  // namespace recsys
