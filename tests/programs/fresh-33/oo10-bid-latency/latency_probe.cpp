// Latency probe of the bidder: how long an exchange waits for an award in
// steady state, seen from the host and from the device.
#include <algorithm>
#include <cstdio>

#include "bid_engine.h"

namespace {

struct Tally {
  double hostMs = 0, gpuMs = 0, ledgerMs = 0;
  int wrong = 0;
};

void serveOnce(adx::BidEngine& engine, int request, Tally& tally) {
  const adx::Clock::time_point asked = adx::Clock::now();
  std::future<adx::Clock::time_point> pending = engine.serve(request);
  const adx::Clock::time_point answered = pending.get();
  tally.hostMs += std::chrono::duration<double, std::milli>(answered - asked).count();

  const adx::Award got = engine.award(), want = engine.reference(request);
  tally.wrong += got.winner != want.winner || got.price != want.price;
  tally.gpuMs += engine.gpuMilliseconds();
  tally.ledgerMs += engine.ledgerMilliseconds();
}

double spread(double a, double b) { return std::max(a / b, b / a); }

}  // namespace

int main() {
  try {
    adx::BidEngine engine{adx::EngineConfig{}};
    Tally rampUp, steady;
    for (int r = 0; r < 3; ++r) serveOnce(engine, r, rampUp);
    for (int r = 0; r < 10; ++r) serveOnce(engine, 100 + r, steady);
    std::fprintf(stderr, "[adx] host %.2f ms, gpu %.2f ms, ledger %.2f ms\n", steady.hostMs, steady.gpuMs,
                 steady.ledgerMs);

    const int wrong = rampUp.wrong + steady.wrong;
    const double ratio = std::max(spread(steady.hostMs, steady.ledgerMs), spread(steady.gpuMs, steady.ledgerMs));
    if (wrong)
      std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
      std::printf("SLOW %.2f\n", ratio);
    else
      std::printf("DONE\n");
    return wrong || ratio > 1.5;
  } catch (const adx::CudaError& e) {
    std::printf("ERROR %s\n", e.what());
    return 1;
  }
}
