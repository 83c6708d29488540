#pragma once

#include "cuda_util.h"

namespace desk {

/// Volatilities on a regular grid of strikes and expiries.
struct SurfaceView {
  const float* vol = nullptr;
  int strikes = 0;
  int expiries = 0;
};

struct Quote {
  int strike = 0;
  int expiry = 0;
  float spot = 0.0f;
  float price = 0.0f;
};

/// Requests and answers go through a ring which host and device both poll.
struct Mailbox {
  static constexpr unsigned kDepth = 64;
  Quote ring[kDepth];
  volatile unsigned posted = 0;
  volatile unsigned answered = 0;
  volatile unsigned closed = 0;
};

/// Low-latency pricing: a kernel stays on the device for a whole session and answers
/// requests without any launch in between.
class PricingEngine {
 public:
  PricingEngine();
  ~PricingEngine();
  PricingEngine(const PricingEngine&) = delete;
  PricingEngine& operator=(const PricingEngine&) = delete;

  void open(SurfaceView surface, float* greeks);
  unsigned post(int strike, int expiry, float spot);
  float take(unsigned ticket) const;

 private:
  Shared<Mailbox> mail_;
  cudaStream_t stream_ = nullptr;
  unsigned next_ = 0;
};

float reference_price(float vol, float spot, int strike, int expiry);

}  // namespace desk
