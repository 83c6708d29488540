// Stress test: several threads feed a stream each; after every round the partial sums are folded
// into one total. The host looks at the total once, when all rounds have been submitted.

#include "worker.h"

#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr int kWorkers = 4;
constexpr int kRounds = 4;
constexpr int kItems = 12;

using Workers = std::vector<std::unique_ptr<Worker>>;

uint64_t expectedTotal() {
  uint64_t sum = 0;
  for (int id = 0; id < kWorkers; ++id) {
    for (int round = 0; round < kRounds; ++round) {
      for (int item = 0; item < kItems; ++item) {
        for (int k = 0; k < Worker::kItem; ++k) sum += Worker::value(id, round, item, k);
      }
    }
  }
  return sum;
}

// Samples how many streams are busy until told to stop.
int watch(const Workers& workers, const std::atomic<bool>& stop) {
  int peak = 0;
  while (!stop) {
    int busy = 0;
    for (const auto& w : workers) busy += !w->idle();
    peak = busy > peak ? busy : peak;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return peak;
}

int stress() {
  Workers workers;
  for (int id = 0; id < kWorkers; ++id) workers.push_back(std::make_unique<Worker>(id));
  uint64_t* total = nullptr;
  must(cudaMalloc(&total, sizeof(uint64_t)));
  must(cudaMemset(total, 0, sizeof(uint64_t)));

  std::atomic<bool> stop{false};
  std::future<int> peak =
      std::async(std::launch::async, [&] { return watch(workers, stop); });
  struct Stopper {
    std::atomic<bool>& flag;
    ~Stopper() { flag = true; }
  } stopper{stop};

  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::future<void>> running;
    for (auto& w : workers) {
      running.push_back(
          std::async(std::launch::async, [&w, round] { w->run(round, kItems); }));
    }
    for (auto& r : running) r.get();
    for (auto& w : workers) foldPartial(total, w->partial());
  }

  uint64_t sum = 0;
  must(cudaMemcpy(&sum, total, sizeof(sum), cudaMemcpyDeviceToHost));
  stop = true;
  std::printf("peak of busy streams: %d\n", peak.get());

  int wrong = sum != expectedTotal();
  for (const auto& w : workers) {
    std::printf("worker: %d items done, %d waits for a slot\n", w->progress(), w->waits());
    wrong += w->progress() != kRounds * kItems;
  }
  must(cudaFree(total));
  return wrong;
}

}  // namespace

int main() {
  int wrong = 0;
  try {
    must(cudaSetDevice(0));
    wrong = stress();
  } catch (const CudaError& error) {
    std::printf("ERROR %s\n", error.what());
    return 1;
  }
  if (wrong != 0) {
    std::printf("WRONG %d\n", wrong);
    return 1;
  }
  std::puts("DONE");
  return 0;
}
