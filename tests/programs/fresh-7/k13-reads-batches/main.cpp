#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <vector>

#include "aligner.h"

namespace {

constexpr int kWorkers = 4;
constexpr int kBatches = 4;

using Clock = std::chrono::steady_clock;
double since(Clock::time_point t) { return std::chrono::duration<double, std::milli>(Clock::now() - t).count(); }

int run() {
  std::vector<std::unique_ptr<Aligner>> aligners;
  long wrong = 0;
  for (int w = 0; w < kWorkers; ++w) {
    aligners.push_back(std::make_unique<Aligner>(w));
    wrong += aligners.back()->batch(0);
  }

  auto t = Clock::now();
  wrong += aligners.front()->batch(0);
  const double one = since(t);

  std::promise<void> gate;
  auto opened = gate.get_future().share();
  std::vector<std::promise<void>> arrived(kWorkers);
  std::vector<std::future<long>> results;
  for (int w = 0; w < kWorkers; ++w)
    results.push_back(std::async(std::launch::async, [&, w] {
      cudaStreamSynchronize(cudaStreamPerThread) >> nullptr;
      arrived[w].set_value();
      opened.wait();
      long bad = 0;
      for (int b = 1; b <= kBatches; ++b) bad += aligners[w]->batch(b);
      return bad;
    }));
  for (auto& a : arrived) a.get_future().wait();

  t = Clock::now();
  gate.set_value();
  for (auto& r : results) wrong += r.get();
  const double all = since(t);

  const double ratio = all / (one * kBatches);
  if (wrong) {
    std::printf("WRONG %ld\n", wrong);
    return 1;
  }
  if (ratio > 1.5) {
    std::printf("SLOW %.2f\n", ratio);
    return 1;
  }
  std::printf("DONE\n");
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const CudaError& e) {
    std::printf("ERROR %s\n", e.what());
    return 1;
  }
}
