// lap_bench.cu - timing of client-supplied GPU work.
//
//   LapBench bench(5, 50);
//   bench.add("saxpy", [&](cudaStream_t s) { launch_saxpy(x, y, n, s); }, bytes);
//   for (const Lap& r : bench.run()) ...
//
// Each case is a callable that enqueues one repetition on the stream it is given and
// does not wait for it. run() reports the GPU time per repetition. The L2 cache is
// flushed before each lap, not between the repetitions of a lap.
#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct Lap {
  std::string name;
  double median_us = 0;
  double best_us = 0;
  double gb_per_s = 0;
};

class LapBench {
 public:
  using Work = std::function<void(cudaStream_t)>;

  LapBench(int warmups, int laps, int reps_per_lap = 10)
      : warmups_(warmups), laps_(laps), reps_(reps_per_lap) {
    if (warmups < 0 || laps < 1 || reps_per_lap < 1) throw std::invalid_argument("LapBench");
    guard(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    guard(cudaEventCreate(&start_));
    guard(cudaEventCreate(&stop_));
    guard(cudaDeviceGetAttribute(&l2_bytes_, cudaDevAttrL2CacheSize, current_device()));
    if (l2_bytes_ > 0) guard(cudaMalloc(&flush_, static_cast<size_t>(l2_bytes_)));
  }

  ~LapBench() {
    cudaStreamSynchronize(stream_);
    cudaFree(flush_);
    cudaEventDestroy(stop_);
    cudaEventDestroy(start_);
    cudaStreamDestroy(stream_);
  }

  LapBench(const LapBench&) = delete;
  LapBench& operator=(const LapBench&) = delete;

  void add(std::string name, Work work, size_t bytes_per_rep = 0) {
    cases_.push_back(Case{std::move(name), std::move(work), bytes_per_rep});
  }

  std::vector<Lap> run() {
    std::vector<Lap> out;
    out.reserve(cases_.size());
    for (const Case& c : cases_) out.push_back(measure(c));
    return out;
  }

 private:
  struct Case {
    std::string name;
    Work work;
    size_t bytes;
  };

  static void guard(cudaError_t e) {
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
  }

  static int current_device() {
    int d = 0;
    guard(cudaGetDevice(&d));
    return d;
  }

  void flush_l2() {
    if (flush_) guard(cudaMemsetAsync(flush_, 0, static_cast<size_t>(l2_bytes_), stream_));
  }

  double one_lap_us(const Work& work) {
    flush_l2();
    guard(cudaEventRecord(start_, stream_));
    for (int r = 0; r < reps_; ++r) work(stream_);
    guard(cudaEventRecord(stop_, stream_));
    guard(cudaEventSynchronize(start_));
    guard(cudaEventSynchronize(stop_));
    float ms = 0;
    guard(cudaEventElapsedTime(&ms, start_, stop_));
    return 1e3 * ms / reps_;
  }

  Lap measure(const Case& c) {
    for (int i = 0; i < warmups_; ++i) c.work(stream_);
    guard(cudaStreamSynchronize(stream_));

    std::vector<double> us(laps_);
    for (double& v : us) v = one_lap_us(c.work);
    guard(cudaStreamSynchronize(stream_));
    guard(cudaGetLastError());

    std::sort(us.begin(), us.end());
    Lap lap;
    lap.name = c.name;
    lap.best_us = us.front();
    lap.median_us = us[us.size() / 2];
    if (c.bytes && lap.median_us > 0) lap.gb_per_s = c.bytes / (lap.median_us * 1e3);
    return lap;
  }

  int warmups_, laps_, reps_;
  int l2_bytes_ = 0;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
  void* flush_ = nullptr;
  std::vector<Case> cases_;
};

}  // namespace bench
