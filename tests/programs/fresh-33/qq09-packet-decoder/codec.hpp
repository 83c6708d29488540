#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace vdec {

struct Packet {
  const std::uint8_t* bytes;
  std::size_t size;
};

// A picture in device memory that the client owns.
struct Picture {
  std::uint8_t* pixels;
  std::size_t size;
};

class Codec {
 public:
  virtual ~Codec() = default;
  virtual std::size_t max_packet() const = 0;
  virtual cudaError_t decode(const std::uint8_t* packet, std::size_t size, Picture out,
                             cudaStream_t stream) = 0;
};

}  // namespace vdec
