// Splits a mix into four stems, a thread for each.
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include "stem_worker.h"

using Clock = std::chrono::steady_clock;

namespace {

constexpr int kSamples = 16384;
constexpr int kBlocks = 4;

int mixAt(int i) { return (i * 13) % 37 - 18; }

double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

long mismatches(const stems::StemWorker& w) {
  long n = 0;
  for (int b = 0; b < kBlocks; ++b)
    for (int i = 0; i < kSamples; ++i) {
      const int at = b * kSamples + i;
      const int want = w.config().weight * (mixAt(at) + (i ? mixAt(at - 1) : 0));
      if (w.result()[at] != want) ++n;
    }
  return n;
}

}  // namespace

int main() {
  std::vector<int> mix(kSamples * kBlocks);
  for (std::size_t i = 0; i < mix.size(); ++i) mix[i] = mixAt(static_cast<int>(i));
  int* devMix = nullptr;
  stems::abortOn(cudaMalloc(&devMix, mix.size() * sizeof(int)));
  stems::abortOn(cudaMemcpy(devMix, mix.data(), mix.size() * sizeof(int), cudaMemcpyHostToDevice));

  const std::vector<stems::StemConfig> plan = {{"vocals", 2, kBlocks, kSamples},
                                               {"drums", 3, kBlocks, kSamples},
                                               {"bass", 5, kBlocks, kSamples},
                                               {"other", 7, kBlocks, kSamples}};
  std::vector<std::unique_ptr<stems::StemWorker>> workers;
  for (const auto& cfg : plan) workers.push_back(std::make_unique<stems::StemWorker>(cfg, devMix));

  workers[0]->extractBlock(0);
  workers[0]->finish();
  const auto t1 = Clock::now();
  workers[0]->extractBlock(0);
  workers[0]->finish();
  const double block = since(t1);

  stems::StartLine line(static_cast<int>(workers.size()) + 1);
  std::vector<std::thread> threads;
  for (auto& w : workers)
    threads.emplace_back([&line, worker = w.get()] {
      worker->extractBlock(0);
      worker->finish();
      line.arriveAndWait();
      for (int b = 0; b < kBlocks; ++b) worker->extractBlock(b);
      worker->finish();
    });
  line.arriveAndWait();
  const auto t2 = Clock::now();
  for (auto& t : threads) t.join();
  const double ratio = since(t2) / (block * kBlocks);

  long wrong = 0;
  for (auto& w : workers) wrong += mismatches(*w);
  workers.clear();
  cudaFree(devMix);
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else if (ratio > 1.5)
    std::printf("SLOW %.2f\n", ratio);
  else
    std::printf("DONE\n");
  return wrong || ratio > 1.5;
}
