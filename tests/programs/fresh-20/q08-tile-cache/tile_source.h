// tilestore: where tiles come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tilestore {

using tile_id = std::uint32_t;

struct host_span {
  float* data;
  std::size_t size;
};

/// Decodes one tile into host memory. Called from the thread that acquires.
class tile_source {
 public:
  virtual ~tile_source() = default;
  virtual std::size_t tile_elements() const = 0;
  virtual void decode(tile_id id, host_span into) = 0;
};

/// A source whose texels are a function of tile and position.
class procedural_source final : public tile_source {
 public:
  using texel = std::function<float(tile_id, std::size_t)>;
  procedural_source(std::size_t elements, texel f) : elements_(elements), texel_(std::move(f)) {}
  std::size_t tile_elements() const override { return elements_; }
  void decode(tile_id id, host_span into) override {
    for (std::size_t i = 0; i < into.size; ++i) into.data[i] = texel_(id, i);
  }

 private:
  std::size_t elements_;
  texel texel_;
};

}  // namespace tilestore
