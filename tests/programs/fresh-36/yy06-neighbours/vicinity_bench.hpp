#pragma once

#include "vicinity_brute_force.hpp"

#include <algorithm>

namespace vicinity::bench {

/// Counterpart of the benchmark runner's state: iterations with manual times.
struct state {
  explicit state(int iterations) : max_iterations(iterations) {}
  void set_iteration_time(double seconds) { seconds_.push_back(seconds); }
  double median_ms() {
    std::nth_element(seconds_.begin(), seconds_.begin() + seconds_.size() / 2, seconds_.end());
    return 1e3 * seconds_[seconds_.size() / 2];
  }
  int max_iterations;

 private:
  std::vector<double> seconds_;
};

/// Times its scope on the device and reports to the state.
class cuda_event_timer {
 public:
  cuda_event_timer(state& s, cudaStream_t stream) : state_(s), stream_(stream) {
    VICINITY_CUDA_TRY(cudaEventCreate(&start_));
    VICINITY_CUDA_TRY(cudaEventCreate(&stop_));
    VICINITY_CUDA_TRY(cudaEventRecord(start_, stream_));
  }
  ~cuda_event_timer() {
    float ms = 0.f;
    cudaEventRecord(stop_, stream_);
    cudaEventSynchronize(stop_);
    cudaEventElapsedTime(&ms, start_, stop_);
    state_.set_iteration_time(ms * 1e-3);
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }

 private:
  state& state_;
  cudaStream_t stream_;
  cudaEvent_t start_{}, stop_{};
};

class fixture {
 public:
  explicit fixture(resources const& res) : handle(res), scratch_(1 << 14, 1 << 10) {}
  virtual ~fixture() = default;
  virtual void run_benchmark(state& s) = 0;

 protected:
  template <typename Lambda>
  void loop_on_state(state& s, Lambda benchmark_func) {
    auto const stream = resource::get_cuda_stream(handle);
    benchmark_func();
    resource::sync_stream_pool(handle);
    for (int i = 0; i < s.max_iterations; ++i) {
      VICINITY_CUDA_TRY(cudaMemsetAsync(scratch_.data_handle(), 0, scratch_.bytes(), stream));
      cuda_event_timer timer(s, stream);
      benchmark_func();
    }
    resource::sync_stream_pool(handle);
  }

  resources const& handle;

 private:
  device_matrix<std::int32_t> scratch_;
};

class knn final : public fixture {
 public:
  knn(resources const& res, neighbors::brute_force::index const& idx, device_matrix<float> const& queries)
    : fixture(res), idx_(idx), queries_(queries), neighbors(queries.extent(0), 1), distances(queries.extent(0), 1) {}

  void run_benchmark(state& s) override {
    loop_on_state(s, [this] { search_once(); });
  }
  void search_once() { neighbors::brute_force::search(handle, {}, idx_, queries_, neighbors, distances); }

 private:
  neighbors::brute_force::index const& idx_;
  device_matrix<float> const& queries_;

 public:
  device_matrix<std::int64_t> neighbors;
  device_matrix<float> distances;
};

}  // namespace vicinity::bench
