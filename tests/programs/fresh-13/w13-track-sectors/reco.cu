// Track reconstruction of a run: the four sectors of an event are fitted side
// by side, so an event should take the time of one fit.
#include <chrono>
#include <memory>

#include "sector.h"

int main() {
  constexpr int kSectors = 4, kEvents = 9;
  std::vector<std::unique_ptr<Sector>> sectors;
  for (int i = 0; i < kSectors; ++i) sectors.push_back(std::make_unique<Sector>(i, kEvents));

  auto flush = [&] {
    for (auto& s : sectors) s->flush();
  };

  for (auto& s : sectors) s->process(0);  // calibration event
  flush();

  const auto begin = std::chrono::steady_clock::now();
  for (int e = 1; e < kEvents; ++e)
    for (auto& s : sectors) s->process(e);
  flush();
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();

  int wrong = 0;
  for (auto& s : sectors) wrong += s->check();
  const double ratio = ms / (kFitMs * double(kEvents - 1));
  if (wrong)
    std::printf("WRONG %d\n", wrong);
  else if (ratio > 1.5)
    std::printf("SLOW %.2f\n", ratio);
  else
    std::printf("DONE\n");
  return 0;
}
