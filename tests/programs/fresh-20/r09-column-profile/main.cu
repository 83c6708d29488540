// Profiles a small data frame and reports how long the columns took side by side.
#include <chrono>
#include <cmath>
#include <map>

#include "profiler.cuh"

namespace frame {
template <typename T>
std::vector<T> make_values(int rows, int seed) {
  std::vector<T> values(rows);
  for (int i = 0; i < rows; ++i) values[i] = T((i * 7 + seed * 13) % 1000 - 300);
  return values;
}

template <typename T>
Summary expected_summary(const std::vector<T>& values) {
  Summary s{0.0, double(values[0]), double(values[0]), int64_t(values.size())};
  for (T v : values) {
    s.sum += double(v);
    s.low = std::fmin(s.low, double(v));
    s.high = std::fmax(s.high, double(v));
  }
  return s;
}

struct ColumnPlan {
  const char* name;
  ColumnType type;
  int seed;
};
}  // namespace frame

int main() {
  using namespace frame;
  const ProfileOptions options;
  const std::vector<ColumnPlan> plan = {
      {"price", ColumnType::float64, 1}, {"volume", ColumnType::int64, 2},
      {"venue", ColumnType::int32, 3},   {"bid", ColumnType::float64, 4},
      {"ask", ColumnType::float64, 5},   {"flags", ColumnType::int32, 6}};
  FrameProfiler profiler(options);
  std::map<std::string, Summary> want;
  for (const ColumnPlan& column : plan) {
    FRAME_FOR_TYPE(column.type, {
      const std::vector<value_t> values = make_values<value_t>(options.rows, column.seed);
      want[column.name] = expected_summary(values);
      profiler.add_column(column.name, column.type, values);
    })
  }
  int seen = 0, wrong = 0;
  const Collector::Sink sink = [&](const ColumnTask& task) {
    const Summary& got = task.summary[0];
    const Summary& ref = want.at(task.name);
    ++seen;
    if (got.sum != ref.sum || got.low != ref.low || got.high != ref.high || got.rows != ref.rows)
      ++wrong;
  };
  profiler.run(sink, 0);

  const auto start = std::chrono::steady_clock::now();
  profiler.run(sink, options.scan_cost_ns);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const double ratio = taken.count() / (double(options.scan_cost_ns) * 1e-9);
  wrong += std::abs(seen - 2 * int(plan.size()));
  std::fprintf(stderr, "%zu columns in %.1f ms\n", plan.size(), taken.count() * 1e3);
  if (wrong)
    std::printf("WRONG %d\n", wrong);
  else if (ratio > 1.5)
    std::printf("SLOW %.2f\n", ratio);
  else
    std::printf("DONE\n");
  return 0;
}
