// NV12 pictures to planar float RGB at half size.
#pragma once

#include <cstdint>

#include "surface_pool.hpp"

namespace vidconv {

struct Format {
  int width = 0;   ///< even
  int height = 0;  ///< even
  bool full_range = false;
};

class Converter {
 public:
  Converter(const Format& format, std::size_t depth);

  /// For changes of resolution in mid-stream. Pictures given to `convert` before keep the
  /// format that they had.
  Status set_format(const Format& format);
  const Format& format() const { return format_; }

  /// Enqueues one picture and returns at once unless `depth` pictures are under way.
  /// `nv12` has width * height * 3 / 2 bytes, `rgb` has three planes of width / 2 * height / 2.
  Status convert(const std::uint8_t* nv12, float* rgb, cudaStream_t stream);

 private:
  Format format_;
  SurfacePool pool_;
};

}  // namespace vidconv
