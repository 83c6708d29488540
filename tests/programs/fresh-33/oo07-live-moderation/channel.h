#pragma once
#include <cstdint>
#include <memory>
#include "host_memory.h"

namespace mod {

struct ServiceConfig {
  int channels = 4;
  int rounds = 4;
  int width = 160;
  int height = 90;
  unsigned modelMicros = 20000;
};

struct Verdict {
  unsigned blockedTiles;
  unsigned digest;
};

// Memory policy of a channel, injected by the service.
struct ChannelMemory {
  HostAllocator& frames;
  HostAllocator& verdicts;
};

// One live stream under moderation: frame in, verdict per tile out.
class Channel {
 public:
  static constexpr int kTiles = 8;

  Channel(int id, const ServiceConfig& config, ChannelMemory memory);
  ~Channel();
  Channel(const Channel&) = delete;

  void submit(int frameNo);
  int settle();  // number of wrong verdicts of the last frame

 private:
  int id_;
  ServiceConfig config_;
  HostArray<uint8_t> frame_;
  HostArray<Verdict> verdicts_;
  cudaStream_t stream_ = nullptr;
  uint8_t* deviceFrame_ = nullptr;
  Verdict* deviceVerdicts_ = nullptr;
};

using ChannelPtr = std::unique_ptr<Channel>;

}  // namespace mod
