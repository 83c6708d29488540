#pragma once

#include "pinned_pool.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace readpack {

/// Streams of one aligner worker; both belong to the application.
struct WorkerStreams {
  cudaStream_t copy = nullptr;
  cudaStream_t compute = nullptr;
};

struct ReadBatch {
  std::vector<std::string> reads;  // A, C, G, T, all of the same length
};

/// Packs reads into two bits a base, brings them to the device and counts k-mers there.
class ReadStager {
 public:
  static constexpr int kSlots = 4;
  static constexpr int kMer = 4;
  static constexpr int kBins = 1 << (2 * kMer);

  ReadStager(PinnedPool& pool, WorkerStreams streams, int max_reads, int read_length);
  ~ReadStager();
  ReadStager(const ReadStager&) = delete;
  ReadStager& operator=(const ReadStager&) = delete;

  /// Starts the transfer of a batch and returns the slot that will hold it.
  int stage(const ReadBatch& batch);

  /// Adds the k-mers of a staged slot to `histogram` (kBins counters on the device).
  void count(int slot, unsigned int* histogram);

  WorkerStreams streams() const noexcept { return streams_; }

 private:
  struct Slot {
    std::uint32_t* words = nullptr;
    int reads = 0;
    cudaEvent_t ready = nullptr;
    cudaEvent_t consumed = nullptr;
  };

  PinnedPool& pool_;
  WorkerStreams streams_;
  int max_reads_;
  int read_length_;
  int words_per_read_;
  int next_ = 0;
  std::array<Slot, kSlots> slots_;
};

}  // namespace readpack
