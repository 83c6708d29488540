#pragma once

#include <cuda_runtime.h>

#include <optional>
#include <string>
#include <vector>

// Host side: owns the rings and the streams and runs the stages on a number of
// tiles.
class Relay {
 public:
  using Failure = std::optional<std::string>;

  Relay() = default;
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  Failure open(unsigned max_tiles);
  Failure run(unsigned tiles, long long ns_per_tile, std::vector<unsigned>* result);

 private:
  enum Lane { kSource, kWhiten, kQuantise, kSink, kDrain, kControl, kLanes };

  Failure reset();
  Failure launch_stages(unsigned tiles, long long ns);
  Failure attach_drain(unsigned tiles);
  Failure release();
  void abandon();
  Failure collect(unsigned tiles, std::vector<unsigned>* result);

  struct Link* links_ = nullptr;
  struct Doors* doors_ = nullptr;
  unsigned* out_ = nullptr;
  unsigned* host_ = nullptr;
  unsigned max_tiles_ = 0;
  cudaStream_t lanes_[kLanes] = {};
};
