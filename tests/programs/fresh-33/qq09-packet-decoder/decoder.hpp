#pragma once
#include "codec.hpp"
#include "packet_ring.hpp"

#include <memory>
#include <optional>

namespace vdec {

struct Options {
  std::size_t host_slots = 2;
  std::size_t device_slots = 2;
};

// Feeds packets to a codec. Packets may be reused by the caller as soon as
// submit() returns.
class Decoder {
 public:
  static std::unique_ptr<Decoder> open(std::unique_ptr<Codec> codec, const Options& options = {});
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // Gives nothing on success.
  std::optional<cudaError_t> submit(const Packet& packet, Picture out);
  std::optional<cudaError_t> finish();

 private:
  Decoder(std::unique_ptr<Codec> codec, const Options& options);
  cudaError_t init();
  cudaError_t upload(const Packet& packet, DeviceSlot& target);

  std::unique_ptr<Codec> codec_;
  Ring<HostSlot> host_;
  Ring<DeviceSlot> device_;
  cudaStream_t copy_ = nullptr;
  cudaStream_t work_ = nullptr;
};

}  // namespace vdec
