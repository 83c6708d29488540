// Overnight risk run: three desks value their books side by side. The run is
// repeated and the quickest counts.
#include "desk.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

namespace {

constexpr int kDesks = 3;
constexpr int kPasses = 3;

struct Outcome {
  std::mutex mutex;
  std::string failure;
};

void desk_main(risk::Desk& desk, risk::Roll& roll, const risk::Setup& setup, Outcome& outcome) {
  try {
    desk.open();
    desk.run(1);
    for (int pass = 0; pass < kPasses; ++pass) {
      roll.meet();
      desk.run(setup.scenarios);
      roll.meet();
    }
    desk.close();
  } catch (const risk::Fault& f) {
    desk.close();
    {
      std::lock_guard<std::mutex> lock(outcome.mutex);
      if (outcome.failure.empty()) outcome.failure = f.what();
    }
    roll.break_up();
  }
}

}  // namespace

int main() {
  using clock = std::chrono::steady_clock;
  const risk::Setup setup;
  Outcome outcome;
  risk::Roll roll(kDesks + 1);
  std::vector<std::unique_ptr<risk::Desk>> desks;
  for (int d = 0; d < kDesks; ++d) desks.push_back(std::make_unique<risk::Desk>(d, setup));

  std::vector<std::thread> threads;
  for (auto& d : desks)
    threads.emplace_back(desk_main, std::ref(*d), std::ref(roll), std::cref(setup),
                         std::ref(outcome));

  double best = 1e30;
  try {
    for (int pass = 0; pass < kPasses; ++pass) {
      roll.meet();
      const auto t0 = clock::now();
      roll.meet();
      best = std::min(best,
                      std::chrono::duration<double, std::milli>(clock::now() - t0).count());
    }
  } catch (const risk::Fault&) {
    best = 0;
  }
  for (std::thread& t : threads) t.join();

  if (!outcome.failure.empty()) {
    std::printf("ERROR %s\n", outcome.failure.c_str());
    return 1;
  }
  int bad = 0;
  for (const auto& d : desks) bad += d->mistakes();
  const double ideal = setup.scenarios * setup.valuation_ns * 1e-6;
  std::printf("%.1f ms, %.1f of kernels on each stream\n", best, ideal);
  if (bad)
    std::printf("WRONG %d\n", bad);
  else if (best > 1.5 * ideal)
    std::printf("SLOW %.2f\n", best / ideal);
  else
    std::printf("DONE\n");
  return 0;
}
