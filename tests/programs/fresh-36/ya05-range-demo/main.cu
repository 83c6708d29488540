// Profiler demo: four independent lanes under a range recorder. The table shows GPU time per
// range; the last figure compares the four lanes with a single one.

#include "lane.h"
#include "ranges.cuh"

#include <chrono>
#include <memory>

namespace {

constexpr int kLanes = 4;
constexpr int kRounds = 5;
constexpr int kStageMicros = 10000;

using Lanes = std::vector<std::unique_ptr<Lane>>;

double runLanes(Lanes& lanes, int active, RangeRecorder& recorder, int* wrong) {
  recorder.reset();
  for (int l = 0; l < active; ++l) lanes[l]->restart();
  CHECK(cudaDeviceSynchronize());

  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < kRounds; ++round) {
    for (int l = 0; l < active; ++l) lanes[l]->process(recorder, kStageMicros);
  }
  for (int l = 0; l < active; ++l) {
    *wrong += lanes[l]->energy() != lanes[l]->expected(kRounds);
  }
  const auto stop = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::milli>(stop - start).count();
}

void printTable(const RangeRecorder& recorder) {
  std::printf("%-10s %6s %12s\n", "range", "count", "mean [ms]");
  for (const RangeRecorder::Row& row : recorder.collect()) {
    std::printf("%-10s %6d %12.3f\n", row.name.c_str(), row.count, row.millis / row.count);
  }
}

}  // namespace

int main() {
  CHECK(cudaSetDevice(0));
  int wrong = 0;
  double ratio = 0.0;
  {
    Lanes lanes;
    for (int l = 0; l < kLanes; ++l) lanes.push_back(std::make_unique<Lane>(l));
    RangeRecorder recorder(2 * kLanes * kRounds);

    runLanes(lanes, 1, recorder, &wrong);
    const double single = runLanes(lanes, 1, recorder, &wrong);
    const double all = runLanes(lanes, kLanes, recorder, &wrong);
    printTable(recorder);
    ratio = all / single;
    std::printf("one lane %.1f ms, %d lanes %.1f ms\n", single, kLanes, all);
  }
  if (wrong != 0) {
    std::printf("WRONG %d\n", wrong);
    return 1;
  }
  if (ratio > 1.5) {
    std::printf("SLOW %.2f\n", ratio);
    return 1;
  }
  std::puts("DONE");
  return 0;
}
