// cubench: micro-benchmarks of kernels, over the values of axes.
//
//   void triad(cubench::state& state)
//   {
//     auto const n = state.get_int64("n");
//     ...
//     state.add_element_count(n);
//     state.exec([&](cubench::launch& launch) { kernel<<<..., launch.get_stream()>>>(...); });
//   }
//
//   cubench::runner{}
//     .add("triad", triad)
//     .add_int64_axis("n", {1 << 16, 1 << 20})
//     .run();
#pragma once

#include "measure.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cubench {

struct result {
  std::string benchmark;
  std::map<std::string, std::int64_t> axes;
  summary cold;
  summary batch;
  double elements_per_second{};
};

class state {
 public:
  state(std::map<std::string, std::int64_t> axes, criteria const& limits, cudaStream_t stream)
    : axes_{std::move(axes)}, limits_{limits}, stream_{stream}
  {
  }

  [[nodiscard]] std::int64_t get_int64(std::string const& axis) const { return axes_.at(axis); }
  [[nodiscard]] cudaStream_t get_stream() const noexcept { return stream_; }

  void add_element_count(std::int64_t elements) noexcept { elements_ += elements; }

  /// The launcher must not synchronize; all its work has to be on the stream of the launch.
  template <typename Launcher>
  void exec(Launcher&& launcher)
  {
    std::function<void(launch&)> const kernel{std::forward<Launcher>(launcher)};
    cold_  = measure_cold{stream_, limits_}.run(kernel);
    batch_ = measure_hot{stream_, limits_}.run(kernel);
  }

  [[nodiscard]] result report(std::string benchmark) const
  {
    result r;
    r.benchmark           = std::move(benchmark);
    r.axes                = axes_;
    r.cold                = cold_;
    r.batch               = batch_;
    r.elements_per_second = batch_.mean_ms > 0 ? elements_ / (batch_.mean_ms * 1e-3) : 0.0;
    return r;
  }

 private:
  std::map<std::string, std::int64_t> axes_;
  criteria limits_;
  cudaStream_t stream_;
  std::int64_t elements_{};
  summary cold_;
  summary batch_;
};

class runner {
 public:
  runner& add(std::string name, std::function<void(state&)> body)
  {
    entries_.push_back(entry{std::move(name), std::move(body), {}});
    return *this;
  }

  /// An axis of the benchmark added last.
  runner& add_int64_axis(std::string name, std::vector<std::int64_t> values)
  {
    entries_.back().axes.emplace_back(std::move(name), std::move(values));
    return *this;
  }

  runner& set_criteria(criteria const& limits)
  {
    limits_ = limits;
    return *this;
  }

  [[nodiscard]] std::vector<result> run() const
  {
    owned_stream const stream;
    std::vector<result> results;
    for (auto const& e : entries_) {
      for (auto const& point : points(e)) {
        state s{point, limits_, stream.get()};
        e.body(s);
        results.push_back(s.report(e.name));
      }
    }
    return results;
  }

 private:
  using axis  = std::pair<std::string, std::vector<std::int64_t>>;
  using point = std::map<std::string, std::int64_t>;

  struct entry {
    std::string name;
    std::function<void(state&)> body;
    std::vector<axis> axes;
  };

  static std::vector<point> points(entry const& e)
  {
    std::vector<point> all{point{}};
    for (auto const& [name, values] : e.axes) {
      std::vector<point> extended;
      for (auto const& base : all) {
        for (auto const value : values) {
          extended.push_back(base);
          extended.back()[name] = value;
        }
      }
      all = std::move(extended);
    }
    return all;
  }

  std::vector<entry> entries_;
  criteria limits_;
};

}  // namespace cubench
