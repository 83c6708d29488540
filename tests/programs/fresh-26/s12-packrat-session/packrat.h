#pragma once
// packrat: frame-of-reference bit packing of 32-bit columns.
#include "host_box.h"

#include <cstdint>

namespace packrat {

constexpr int kBlock = 128;

struct BlockHeader {
  std::uint32_t base;
  std::uint32_t bits;
  std::uint32_t offset;  // in words
};

struct Totals {
  std::uint32_t widest;
  std::uint32_t words;
  std::uint32_t constant_blocks;
};

struct EncodedView {
  BlockHeader* headers;  // one per block of kBlock values
  std::uint32_t* words;  // at most one per value
};

inline std::size_t blocks_of(std::size_t count) { return (count + kBlock - 1) / kBlock; }

// The working memory of a sequence of encodings, all in one stream at a time. encode() and decode()
// enqueue their work in `stream` and return; sessions with different streams work side by side.
class Session {
 public:
  explicit Session(std::size_t max_count);

  void encode(const std::uint32_t* in, std::size_t count, EncodedView out, cudaStream_t stream);
  void decode(EncodedView in, std::size_t count, std::uint32_t* out, cudaStream_t stream);

  // Of the last encoding, once its stream has come to its end.
  const Totals& totals() const { return totals_host_[0]; }
  const BlockHeader& header(std::size_t block) const { return headers_host_[block]; }

 private:
  void mirror(EncodedView out, std::size_t blocks, cudaStream_t stream);

  std::size_t max_count_;
  DeviceBox<std::uint32_t> sizes_;
  DeviceBox<std::uint32_t> starts_;
  DeviceBox<Totals> totals_;
  std::size_t scan_bytes_;
  DeviceBox<unsigned char> scan_temp_;
  HostBox<BlockHeader> headers_host_;
  HostBox<Totals> totals_host_;
};

}  // namespace packrat
