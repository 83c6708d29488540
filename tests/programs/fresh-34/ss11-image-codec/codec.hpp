#pragma once
// Tile codec: predictive coding with a quantiser, decoded on the device into page-locked RGB.
#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace codec {

class error : public std::runtime_error {
 public:
  explicit error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
  explicit error(char const* what) : std::runtime_error(what) {}
};

inline void ok(cudaError_t e)
{
  if (e != cudaSuccess) throw error(e);
}

struct geometry {
  int width  = 0;
  int height = 0;
  std::size_t pixels() const { return static_cast<std::size_t>(width) * height; }
};

struct rgb {
  std::uint8_t r, g, b;
};

// Host-side encoder for grey ramps: row-wise differences, divided by `step`.
std::vector<std::int8_t> encode(std::vector<std::uint8_t> const& grey, geometry g, int step);

namespace detail {
struct slot {
  std::int8_t* packed     = nullptr;  // page-locked
  std::int8_t* d_packed   = nullptr;
  std::uint8_t* d_grey    = nullptr;
  rgb* d_rgb              = nullptr;
  rgb* out                = nullptr;  // page-locked
  cudaEvent_t done        = nullptr;
  void create(geometry g);
  void destroy();
};

class slot_ring {
 public:
  slot_ring(geometry g, int n);
  ~slot_ring();
  slot* take();
  void give(slot* s);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<slot>> all_;
  std::vector<slot*> idle_;
};
}  // namespace detail

// The result of a decode that may still be under way. pixels() returns once the picture is there; dropping the object
// gives its slot back to the decoder.
class pending_image {
 public:
  pending_image() = default;
  pending_image(std::shared_ptr<detail::slot_ring> ring, detail::slot* s, geometry g)
    : ring_(std::move(ring)), slot_(s), geometry_(g), in_flight_(true)
  {
  }
  pending_image(pending_image&& other) noexcept
    : ring_(std::move(other.ring_)), slot_(std::exchange(other.slot_, nullptr)), geometry_(other.geometry_)
  {
  }
  pending_image& operator=(pending_image&& other) noexcept
  {
    if (this != &other) {
      reset();
      ring_      = std::move(other.ring_);
      slot_      = std::exchange(other.slot_, nullptr);
      geometry_  = other.geometry_;
      in_flight_ = std::exchange(other.in_flight_, false);
    }
    return *this;
  }
  ~pending_image() { reset(); }

  bool valid() const { return slot_ != nullptr; }
  geometry size() const { return geometry_; }
  rgb const* pixels()
  {
    wait();
    return slot_->out;
  }
  void wait()
  {
    if (in_flight_) {
      ok(cudaEventSynchronize(slot_->done));
      in_flight_ = false;
    }
  }
  void reset()
  {
    if (!slot_) return;
    if (std::exchange(in_flight_, false)) cudaEventSynchronize(slot_->done);
    ring_->give(std::exchange(slot_, nullptr));
    ring_.reset();
  }

 private:
  std::shared_ptr<detail::slot_ring> ring_;
  detail::slot* slot_ = nullptr;
  geometry geometry_;
  bool in_flight_ = false;
};

enum class tint { none, sepia };

class decoder {
 public:
  class builder {
   public:
    builder& size(int w, int h)
    {
      g_ = {w, h};
      return *this;
    }
    builder& slots(int n)
    {
      slots_ = n;
      return *this;
    }
    builder& quantiser(int step)
    {
      step_ = step;
      return *this;
    }
    builder& look(tint t)
    {
      tint_ = t;
      return *this;
    }
    decoder build(cudaStream_t stream) const { return decoder(*this, stream); }

   private:
    friend class decoder;
    geometry g_;
    int slots_ = 2;
    int step_  = 1;
    tint tint_ = tint::none;
  };

  // Asynchronous: `packed` may be changed after the call.
  pending_image decode(std::vector<std::int8_t> const& packed);

 private:
  decoder(builder const& b, cudaStream_t stream);
  geometry g_;
  int step_;
  tint tint_;
  cudaStream_t stream_;
  std::shared_ptr<detail::slot_ring> ring_;
};

}  // namespace codec
