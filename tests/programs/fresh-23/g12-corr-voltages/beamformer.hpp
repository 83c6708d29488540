#pragma once

#include "resource.hpp"

#include <cuda_runtime.h>

#include <functional>

namespace corr {

template <class T>
struct span {
  T* data = nullptr;
  std::size_t size = 0;
};

struct array_layout {
  int antennas = 8;
  int channels = 256;
  int samples = 1024;

  std::size_t voltages() const noexcept { return std::size_t(antennas) * channels * samples; }
  std::size_t spectrum() const noexcept { return std::size_t(channels) * samples; }
};

/// Enqueues a correction of the formed beam, in place, on the stream.
using correction = std::function<void(span<float2> beam, cudaStream_t stream)>;

/// Forms a beam from the antennas' voltages and detects its power in each channel. One beamformer may
/// be used on several streams at a time.
class beamformer {
 public:
  /// The resource outlives the beamformer. Weights are one for each antenna, on the host.
  beamformer(const array_layout& layout, const float2* weights, device_resource& resource);
  ~beamformer();
  beamformer(const beamformer&) = delete;
  beamformer& operator=(const beamformer&) = delete;

  /// voltages[antenna][channel][sample], power[channel], all in device memory. Enqueues on `stream`
  /// and returns.
  void process(span<const float2> voltages, span<float> power, const correction& correct, cudaStream_t stream) const;

  const array_layout& layout() const noexcept { return layout_; }

 private:
  array_layout layout_;
  device_resource& resource_;
  float2* weights_ = nullptr;
};

}  // namespace corr
