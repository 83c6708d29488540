#pragma once
// The device of this process: a fixed set of streams, one of which is active.
#include <cuda_runtime.h>

#include <array>

namespace amx {

class Device {
 public:
  static constexpr int kStreams = 4;

  static void Initialize();
  static void Finalize();
  static void setStreamIndex(int index) { active_ = index % kStreams; }
  static void resetStreamIndex() { active_ = 0; }
  static cudaStream_t stream() { return streams_[active_]; }
  static void streamSynchronizeAll();
  static void check(cudaError_t status, const char* what);

 private:
  static std::array<cudaStream_t, kStreams> streams_;
  static int active_;
};

#define AMX_CUDA(call) ::amx::Device::check((call), #call)

// Iterates over tiles and moves the active stream along.
class TileIter {
 public:
  explicit TileIter(int tiles) : tiles_(tiles) { Device::setStreamIndex(0); }
  ~TileIter() { Device::resetStreamIndex(); }
  bool valid() const { return tile_ < tiles_; }
  int index() const { return tile_; }
  void operator++() { Device::setStreamIndex(++tile_); }

 private:
  int tiles_;
  int tile_ = 0;
};

}  // namespace amx
