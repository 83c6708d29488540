#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

namespace tilecodec {

struct status_error : std::runtime_error {
  explicit status_error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e)
{
  if (e != cudaSuccess) throw status_error(e);
}

struct geometry {
  int width = 128;
  int height = 128;
  int samples() const { return width * height; }
};

struct encoded_image {
  std::vector<std::uint16_t> symbols;
  std::uint16_t bias = 0;
};

using decoded_image = std::vector<int>;

// Batched decoder. Each image of a batch has a slot of its own, so that the images of one batch
// are decoded side by side on the device.
class decoder {
 public:
  decoder(geometry g, int slots);
  ~decoder();
  decoder(const decoder&) = delete;
  decoder& operator=(const decoder&) = delete;

  int slots() const { return static_cast<int>(slots_.size()); }

  // Decodes at most slots() images and returns when all of them are complete.
  std::vector<decoded_image> decode_batch(const std::vector<encoded_image>& batch);

 private:
  struct slot;
  void submit(slot& s, const encoded_image& image);

  geometry geometry_;
  std::vector<std::unique_ptr<slot>> slots_;
};

}  // namespace tilecodec
