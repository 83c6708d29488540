#include "autotuner.h"

#include <algorithm>
#include <limits>

namespace kiln {

std::size_t Autotuner::choose(const std::string& key,
                              const std::vector<std::unique_ptr<Variant>>& variants,
                              cudaStream_t stream) {
  auto known = best_.find(key);
  if (known != best_.end()) return known->second;

  std::size_t best = variants.size();
  float best_ms = std::numeric_limits<float>::max();
  std::vector<Measurement> report;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (!variants[i]->supported()) continue;
    const float ms = measure(*variants[i], stream);
    report.push_back({variants[i]->name(), ms});
    if (ms < best_ms) {
      best_ms = ms;
      best = i;
    }
  }
  if (best == variants.size()) throw std::runtime_error("autotuner: no variant supports " + key);
  best_[key] = best;
  reports_[key] = std::move(report);
  return best;
}

float Autotuner::measure(Variant& v, cudaStream_t stream) {
  for (int i = 0; i < options_.warmups; ++i) v.run(stream);

  std::vector<float> samples;
  samples.reserve(options_.repeats);
  for (int i = 0; i < options_.repeats; ++i) {
    watch_.start(stream);
    v.prologue(stream);
    v.epilogue(stream);
    watch_.stop(stream);
    samples.push_back(watch_.elapsed_ms());
  }
  auto mid = samples.begin() + samples.size() / 2;
  std::nth_element(samples.begin(), mid, samples.end());
  return *mid;
}

void Autotuner::forget(const std::string& key) {
  best_.erase(key);
  reports_.erase(key);
}

}  // namespace kiln
