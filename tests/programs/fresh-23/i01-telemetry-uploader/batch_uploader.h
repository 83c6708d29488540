#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pinned_ring.h"

namespace ingest {

struct Sample {
  std::uint32_t channel;
  float value;
};

struct Calibration {
  static constexpr int kChannels = 16;
  float scale[kChannels];
  float offset[kChannels];
};

// Gathers samples into batches and uploads them, each sink in the stream of its consumer.
// The calibration table is common to all sinks and travels in a stream of its own.
// Not thread-safe; one uploader belongs to one ingest thread.
class BatchUploader {
 public:
  BatchUploader(PinnedRing& ring, std::size_t rows_per_batch);
  ~BatchUploader();
  BatchUploader(const BatchUploader&) = delete;
  BatchUploader& operator=(const BatchUploader&) = delete;

  // `base` is device memory for `capacity` samples; kernels in `stream` read it.
  std::size_t attach(Sample* base, std::size_t capacity, cudaStream_t stream);

  // Replaces the table for all work enqueued from now on.
  void calibrate(const Calibration& table);
  const Calibration* calibration() const { return d_table_; }

  void append(std::size_t sink, const Sample* rows, std::size_t count);
  void flush(std::size_t sink);
  std::size_t rows(std::size_t sink) const { return sinks_.at(sink).fill; }

 private:
  struct Sink {
    Sample* base;
    std::size_t capacity;
    cudaStream_t stream;
    cudaEvent_t position;
    std::size_t fill = 0;
    PinnedRing::Slot* open = nullptr;
    std::size_t open_rows = 0;
  };

  PinnedRing& ring_;
  std::size_t rows_per_batch_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t table_ready_ = nullptr;
  Calibration* d_table_ = nullptr;
  std::vector<Sink> sinks_;
};

}  // namespace ingest
