#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace tiles {

#define TILES_TRY(call)                                                     \
  do {                                                                      \
    cudaError_t tiles_err_ = (call);                                        \
    if (tiles_err_ != cudaSuccess) throw tiles::error(tiles_err_);          \
  } while (0)

struct error : std::runtime_error {
  explicit error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)), code(e) {}
  cudaError_t code;
};

struct uploader_options {
  int slots = 2;
  std::size_t slot_bytes = 1 << 20;
};

// Moves tiles from ordinary host memory to the device through a small ring of pinned slots.
// upload() returns as soon as the source may be reused by the caller; the data is visible to
// work that is enqueued on `consumer` after the call.
class tile_uploader {
 public:
  explicit tile_uploader(uploader_options const& opt);
  ~tile_uploader();
  tile_uploader(tile_uploader const&) = delete;
  tile_uploader& operator=(tile_uploader const&) = delete;

  void upload(void const* src, std::size_t bytes, void* dst, cudaStream_t consumer);

  std::size_t uploads() const noexcept { return count_; }

 private:
  struct slot {
    unsigned char* pinned = nullptr;
    cudaEvent_t done = nullptr;
  };

  uploader_options opt_;
  cudaStream_t copy_ = nullptr;
  cudaEvent_t mark_ = nullptr;
  std::vector<slot> ring_;
  std::size_t count_ = 0;
};

}  // namespace tiles
