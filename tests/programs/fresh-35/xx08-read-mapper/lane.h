// One of several lanes on which batches of reads are mapped side by side.
#pragma once

#include "cuda_support.h"
#include "genome.h"
#include "reference_index.h"

#include <vector>

namespace readmap {

struct LaneBuffers {
    explicit LaneBuffers(const MapperConfig& config)
        : reads(static_cast<std::size_t>(config.batchReads) * kReadLength),
          hits(config.batchReads),
          deviceReads(reads.size()),
          deviceHits(hits.size()) {}

    PinnedBuffer<Base> reads;
    PinnedBuffer<Hit> hits;
    DeviceBuffer<Base> deviceReads;
    DeviceBuffer<Hit> deviceHits;
};

class Lane {
public:
    explicit Lane(const MapperConfig& config);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    void dispatch(const ReadBatch& batch, const IndexView& index);
    void collect(HitList& hits);

private:
    MapperConfig config_;
    LaneBuffers buffers_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t finished_ = nullptr;
};

}  // namespace readmap
