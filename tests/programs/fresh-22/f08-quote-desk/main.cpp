#include "engine.h"

#include <cmath>
#include <cstdio>
#include <vector>

namespace desk {

struct SurfaceConfig {
  int strikes = 40;
  int expiries = 12;
  float base_vol = 0.15f;
};

std::vector<float> build_surface(const SurfaceConfig& cfg) {
  std::vector<float> vol(static_cast<std::size_t>(cfg.strikes) * cfg.expiries);
  for (int e = 0; e < cfg.expiries; ++e) {
    for (int k = 0; k < cfg.strikes; ++k) {
      const float smile = 0.002f * static_cast<float>((k - cfg.strikes / 2) * (k - cfg.strikes / 2));
      vol[static_cast<std::size_t>(e) * cfg.strikes + k] = cfg.base_vol + smile + 0.01f * static_cast<float>(e);
    }
  }
  return vol;
}

/// One trading session: a volatility surface, sensitivities and the pricer that uses them.
class Session {
 public:
  explicit Session(const SurfaceConfig& cfg)
      : cfg_(cfg),
        host_vol_(build_surface(cfg)),
        engine_(),
        surface_(host_vol_.size()),
        greeks_(host_vol_.size()) {
    surface_.assign(host_vol_);
    greeks_.assign(std::vector<float>(host_vol_.size(), 0.0f));
    ensure(cudaDeviceSynchronize());
    engine_.open(SurfaceView{surface_.get(), cfg_.strikes, cfg_.expiries}, greeks_.get());
  }

  /// Streams a day of requests in bursts and returns the number of quotes that are off.
  int trade(int requests, int burst) {
    int off = 0;
    std::vector<unsigned> tickets(burst);
    for (int first = 0; first < requests; first += burst) {
      for (int i = 0; i < burst; ++i) tickets[i] = engine_.post(strike_of(first + i), expiry_of(first + i), spot_of(first + i));
      for (int i = 0; i < burst; ++i) {
        const int n = first + i;
        const float vol = host_vol_[static_cast<std::size_t>(expiry_of(n)) * cfg_.strikes + strike_of(n)];
        const float want = reference_price(vol, spot_of(n), strike_of(n), expiry_of(n));
        const float got = engine_.take(tickets[i]);
        off += !(std::fabs(got - want) <= 1e-3f * (1.0f + std::fabs(want)));
      }
    }
    return off;
  }

 private:
  int strike_of(int n) const { return (n * 7) % cfg_.strikes; }
  int expiry_of(int n) const { return (n * 5) % cfg_.expiries; }
  float spot_of(int n) const { return 15.0f + static_cast<float>(n % 17); }

  SurfaceConfig cfg_;
  std::vector<float> host_vol_;
  PricingEngine engine_;
  DeviceArray<float> surface_;
  DeviceArray<float> greeks_;
};

}  // namespace desk

int main() {
  desk::ensure(cudaSetDevice(0));
  int off = 0;
  {
    desk::Session session{desk::SurfaceConfig{}};
    off = session.trade(2000, 20);
  }
  if (off != 0) {
    std::printf("WRONG %d\n", off);
  } else {
    std::printf("DONE\n");
  }
  return 0;
}
