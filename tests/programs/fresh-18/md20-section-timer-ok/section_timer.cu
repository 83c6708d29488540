#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <map>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace prof {

inline void cuda_check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

struct Summary {
  std::size_t count = 0;
  double total_ms = 0;
  double best_ms = 0;
  double median_ms = 0;
};

// CRTP base: sections are opened and closed by name on a stream.
template <typename Derived>
class TimerBase {
 public:
  void start(cudaStream_t stream) {
    if (running_) throw std::logic_error("timer already running");
    running_ = true;
    self().do_start(stream);
  }

  void stop(const std::string& section, cudaStream_t stream) {
    if (!running_) throw std::logic_error("timer not running");
    running_ = false;
    samples_[section].push_back(self().do_stop(stream));
  }

  template <typename F>
  void measure(const std::string& section, int repeats, cudaStream_t stream, F&& body) {
    body(stream);
    for (int i = 0; i < repeats; ++i) {
      start(stream);
      body(stream);
      stop(section, stream);
    }
  }

  Summary summary(const std::string& section) const {
    auto it = samples_.find(section);
    if (it == samples_.end() || it->second.empty()) return {};
    std::vector<double> v = it->second;
    std::sort(v.begin(), v.end());
    Summary s;
    s.count = v.size();
    for (double x : v) s.total_ms += x;
    s.best_ms = v.front();
    s.median_ms = v[v.size() / 2];
    return s;
  }

  void report(std::ostream& os) const {
    for (const auto& entry : samples_) {
      const Summary s = summary(entry.first);
      os << std::left << std::setw(24) << entry.first << std::right << std::setw(6) << s.count << std::fixed
         << std::setprecision(3) << std::setw(12) << s.best_ms << std::setw(12) << s.median_ms << '\n';
    }
  }

 protected:
  ~TimerBase() = default;

 private:
  Derived& self() { return static_cast<Derived&>(*this); }

  bool running_ = false;
  std::map<std::string, std::vector<double>> samples_;
};

// Device time between two events in the stream.
class EventTimer : public TimerBase<EventTimer> {
 public:
  EventTimer() {
    cuda_check(cudaEventCreate(&begin_));
    cuda_check(cudaEventCreate(&end_));
  }
  ~EventTimer() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

 private:
  friend class TimerBase<EventTimer>;

  void do_start(cudaStream_t stream) { cuda_check(cudaEventRecord(begin_, stream)); }

  double do_stop(cudaStream_t stream) {
    cuda_check(cudaEventRecord(end_, stream));
    cuda_check(cudaEventSynchronize(end_));
    float ms = 0.f;
    cuda_check(cudaEventElapsedTime(&ms, begin_, end_));
    return ms;
  }

  cudaEvent_t begin_{};
  cudaEvent_t end_{};
};

// Host time from submission to completion of the section's work in the stream.
class WallTimer : public TimerBase<WallTimer> {
  using clock = std::chrono::steady_clock;

  friend class TimerBase<WallTimer>;

  void do_start(cudaStream_t stream) {
    cuda_check(cudaStreamSynchronize(stream));
    begin_ = clock::now();
  }

  double do_stop(cudaStream_t stream) {
    cuda_check(cudaStreamSynchronize(stream));
    const auto end = clock::now();
    return std::chrono::duration<double, std::milli>(end - begin_).count();
  }

  clock::time_point begin_{};
};

template class TimerBase<EventTimer>;
template class TimerBase<WallTimer>;

}  // namespace prof
