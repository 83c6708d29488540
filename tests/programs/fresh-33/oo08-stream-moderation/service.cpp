// Live video moderation node: all channels of the node share one accelerator.
// The node reports how much a full house costs compared with a single channel.
#include <chrono>
#include <cstdio>
#include <vector>

#include "channel.h"

namespace mod {

class ModerationService {
 public:
  ModerationService(const ServiceConfig& config, ChannelMemory memory) : config_(config) {
    for (int c = 0; c < config.channels; ++c) channels_.push_back(std::make_unique<Channel>(c, config, memory));
  }

  double run(int active, int rounds) {
    const auto begin = std::chrono::steady_clock::now();
    for (int r = 0; r < rounds; ++r) {
      for (int c = 0; c < active; ++c) channels_[c]->submit(frameNo_ + r);
      for (int c = 0; c < active; ++c) wrong_ += channels_[c]->settle();
    }
    frameNo_ += rounds;
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }

  int wrong() const { return wrong_; }

 private:
  ServiceConfig config_;
  std::vector<ChannelPtr> channels_;
  int frameNo_ = 0;
  int wrong_ = 0;
};

int runNode() {
  ServiceConfig config;
  PageLockedAllocator ingest;
  PageLockedAllocator results;
  ModerationService service(config, ChannelMemory{ingest, results});

  service.run(config.channels, 1);
  const double single = service.run(1, config.rounds);
  const double full = service.run(config.channels, config.rounds);
  std::fprintf(stderr, "[mod] single channel %.2f ms, %d channels %.2f ms\n", single, config.channels, full);

  if (service.wrong()) {
    std::printf("WRONG %d\n", service.wrong());
    return 1;
  }
  if (full > 1.5 * single) {
    std::printf("SLOW %.2f\n", full / single);
    return 1;
  }
  std::printf("DONE\n");
  return 0;
}

}  // namespace mod

int main() {
  try {
    return mod::runNode();
  } catch (const mod::CudaFailure& e) {
    std::fprintf(stderr, "[mod] %s\n", e.what());
    std::printf("ERROR %s\n", e.name());
    return 1;
  }
}
