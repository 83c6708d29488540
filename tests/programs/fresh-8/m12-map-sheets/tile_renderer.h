#pragma once
#include "stream_pool.h"

struct TileKey {
  int zoom, x, y;
};

// A tile whose pixels are on their way.
class PendingTile {
 public:
  PendingTile(TileKey key, int slot, cudaEvent_t done, StreamPool::Lease lane)
      : key_(key), slot_(slot), done_(done), lane_(std::move(lane)) {}
  PendingTile(PendingTile&& o) noexcept
      : key_(o.key_),
        slot_(o.slot_),
        done_(std::exchange(o.done_, nullptr)),
        lane_(std::move(o.lane_)) {}
  PendingTile& operator=(PendingTile&&) = delete;
  ~PendingTile() {
    if (done_) cudaEventDestroy(done_);
  }

  void Wait() { MAP_CUDA(cudaEventSynchronize(done_)); }
  TileKey key() const { return key_; }
  int slot() const { return slot_; }

 private:
  TileKey key_;
  int slot_;
  cudaEvent_t done_;
  StreamPool::Lease lane_;
};

class TileRenderer {
 public:
  static constexpr int kPixels = 256 * 256;

  TileRenderer(StreamPool& streams, int slots);
  ~TileRenderer();

  PendingTile Render(TileKey key, int slot);
  const unsigned* Pixels(int slot) const { return host_ + static_cast<size_t>(slot) * kPixels; }

 private:
  StreamPool& streams_;
  unsigned* device_ = nullptr;
  unsigned* host_ = nullptr;
};
