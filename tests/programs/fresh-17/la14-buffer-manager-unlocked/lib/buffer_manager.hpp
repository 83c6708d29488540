#pragma once

#include "status.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace quarry {

using ChunkId = std::uint32_t;

/// Where chunks come from when they are not resident.
class ChunkSource {
 public:
  virtual ~ChunkSource() = default;
  virtual std::size_t ChunkBytes(ChunkId id) const = 0;
  /// Host memory of the chunk; stays valid while the buffer manager lives.
  virtual const void* ChunkData(ChunkId id) const = 0;
};

struct BufferStats {
  std::uint64_t hits = 0;
  std::uint64_t loads = 0;
  std::uint64_t evictions = 0;
  std::uint64_t stalls = 0;
};

/// Keeps chunks of tables in a fixed number of device frames.
///
/// A chunk is pinned for a stream and may be used by work enqueued there until UnpinAfter() for the same stream: the
/// pin is dropped when the stream gets to that point.
class BufferManager {
 public:
  BufferManager(const ChunkSource& source, std::size_t frame_bytes, std::size_t num_frames);
  ~BufferManager();
  BufferManager(const BufferManager&) = delete;
  BufferManager& operator=(const BufferManager&) = delete;

  /// Device address of the chunk. Blocks while all frames are pinned.
  const void* Pin(ChunkId id, cudaStream_t stream);
  void UnpinAfter(ChunkId id, cudaStream_t stream);

  BufferStats stats() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quarry
