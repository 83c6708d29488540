// ferry: moves host data to the device through a fixed set of pinned slots and decodes it there.
#pragma once

#include <cuda_runtime.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace ferry {

struct Failure : std::runtime_error {
  explicit Failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw Failure(e);
}

/// A step that turns the raw bytes of a slot into their final form, on the uploader's stream.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual void decode(std::uint8_t* dst, const std::uint8_t* raw, std::size_t bytes, cudaStream_t stream) = 0;
};

/// dst[i] = raw[i] ^ key, for archives with light scrambling.
class XorDecoder final : public Decoder {
 public:
  explicit XorDecoder(std::uint8_t key, unsigned settle_us = 0) : key_(key), settle_us_(settle_us) {}
  void decode(std::uint8_t* dst, const std::uint8_t* raw, std::size_t bytes, cudaStream_t stream) override;

 private:
  std::uint8_t key_;
  unsigned settle_us_;
};

struct Stats {
  std::uint64_t pushed = 0;
  std::uint64_t landed = 0;
  std::uint64_t bytes_landed = 0;
};

/// Thread safe. The order of pushes from one thread is kept.
class Uploader {
 public:
  Uploader(std::size_t slot_bytes, int slots, std::unique_ptr<Decoder> decoder);
  ~Uploader();
  Uploader(const Uploader&) = delete;
  Uploader& operator=(const Uploader&) = delete;

  /// Brings `bytes` from `src` to `dst`. `src` may be reused on return. Blocks while all slots are
  /// under way.
  void push(const void* src, std::size_t bytes, std::uint8_t* dst);

  /// Returns when all that has been pushed is decoded; pushes of other threads are held off until
  /// then. The numbers are those of this moment.
  Stats drain();

  cudaStream_t stream() const { return stream_; }

 private:
  struct Slot {
    Uploader* owner = nullptr;
    std::uint8_t* host = nullptr;
    std::uint8_t* device = nullptr;
    std::size_t bytes = 0;
  };

  static void CUDART_CB on_landed(void* arg);
  Slot* acquire();

  std::size_t slot_bytes_;
  std::unique_ptr<Decoder> decoder_;
  cudaStream_t stream_ = nullptr;
  std::vector<Slot> slots_;

  std::mutex submit_mu_;
  std::mutex mu_;
  std::condition_variable freed_;
  std::vector<Slot*> idle_;
  Stats stats_;
};

}  // namespace ferry
