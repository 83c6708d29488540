#include "lane.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

using basin::kCells;
using basin::kLanes;
using basin::must;
using basin::RunParams;

struct PinnedDelete {
  void operator()(void* p) const noexcept { cudaFreeHost(p); }
};

template <typename T>
using PinnedPtr = std::unique_ptr<T[], PinnedDelete>;

template <typename T>
PinnedPtr<T> pinned(std::size_t n) {
  void* p = nullptr;
  must(cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocDefault));
  return PinnedPtr<T>(static_cast<T*>(p));
}

/// All combinations that one calibration sweep tries.
class Sweep {
 public:
  explicit Sweep(int runs) : runs_(runs), params_(pinned<RunParams>(runs)), results_(pinned<float>(std::size_t(runs) * kCells)) {
    for (int r = 0; r < runs; ++r) {
      params_[r] = RunParams{1.0f + 0.1f * float(r % 5), 0.2f + 0.05f * float(r % 3), 12.0f + float(r), 50};
    }
    for (int l = 0; l < kLanes; ++l) lanes_.emplace_back(l);
  }

  /// Milliseconds for runs [first, last), distributed over the lanes.
  double execute(int first, int last) {
    const auto begin = std::chrono::steady_clock::now();
    for (int r = first; r < last; ++r) {
      lanes_[r % kLanes].submit(&params_[r], &results_[std::size_t(r) * kCells]);
    }
    for (const auto& lane : lanes_) lane.drain();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }

  int mismatches() const {
    int bad = 0;
    for (int r = 0; r < runs_; ++r) {
      for (int c = 0; c < kCells; c += 31) {
        const float want = basin::reference_discharge(params_[r], c);
        const float got = results_[std::size_t(r) * kCells + c];
        bad += !(std::fabs(got - want) <= 1e-3f * (1.0f + std::fabs(want)));
      }
    }
    return bad;
  }

 private:
  int runs_;
  PinnedPtr<RunParams> params_;
  PinnedPtr<float> results_;
  std::vector<basin::Lane> lanes_;
};

}  // namespace

int main() {
  must(cudaSetDevice(0));
  constexpr int kRuns = 24;
  Sweep sweep(kRuns);

  sweep.execute(0, 1);
  const double single = sweep.execute(0, 1);
  const double total = sweep.execute(0, kRuns);
  must(cudaDeviceSynchronize());

  const int bad = sweep.mismatches();
  const double ratio = total / (single * kRuns / kLanes);
  std::fprintf(stderr, "one run %.1f ms, %d runs %.1f ms\n", single, kRuns, total);
  if (bad != 0) {
    std::printf("WRONG %d\n", bad);
  } else if (ratio > 1.5) {
    std::printf("SLOW %.2f\n", ratio);
  } else {
    std::printf("DONE\n");
  }
  return 0;
}
