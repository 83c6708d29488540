#pragma once
#include "handle.hpp"
#include "kernels.cuh"

#include <map>
#include <utility>

namespace knn {

enum class metric { l2, cosine };

struct matrix_view {
  float const* data;
  int rows;
  int dims;
};

/// Per-row factors of a data set.
class norm_entry {
 public:
  explicit norm_entry(int rows) : rows_{rows}
  {
    check(cudaMalloc(reinterpret_cast<void**>(&values_), sizeof(float) * rows));
    check(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
  }
  ~norm_entry()
  {
    cudaEventDestroy(ready_);
    cudaFree(values_);
  }
  norm_entry(norm_entry const&)            = delete;
  norm_entry& operator=(norm_entry const&) = delete;

  float* values() const { return values_; }
  int rows() const { return rows_; }
  void publish(cudaStream_t s) { check(cudaEventRecord(ready_, s)); }
  void wait(cudaStream_t s) const { check(cudaStreamWaitEvent(s, ready_, 0)); }

 private:
  int rows_;
  float* values_{};
  cudaEvent_t ready_{};
};

/// How the factors of a metric are made.
class norm_policy {
 public:
  virtual ~norm_policy() = default;
  virtual void compute(norm_entry& entry, matrix_view const& m, cudaStream_t s) const
  {
    detail::row_sq_norms<<<(m.rows + 127) / 128, 128, 0, s>>>(m.data, m.rows, m.dims, entry.values());
    check(cudaGetLastError());
  }
};

class cosine_policy : public norm_policy {
 public:
  explicit cosine_policy(unsigned long long cost) : cost_{cost} {}
  void compute(norm_entry& entry, matrix_view const& m, cudaStream_t s) const override
  {
    norm_policy::compute(entry, m, s);
    detail::to_inverse_length<<<(m.rows + 127) / 128, 128, 0, s>>>(entry.values(), m.rows, cost_);
    check(cudaGetLastError());
  }

 private:
  unsigned long long cost_;
};

/// Shared by all searches of a handle.
class norm_cache {
 public:
  explicit norm_cache(handle_config const& config)
  {
    policies_[metric::l2]     = std::make_unique<norm_policy>();
    policies_[metric::cosine] = std::make_unique<cosine_policy>(config.pass_cost_ns);
  }

  norm_entry const& get(matrix_view const& m, metric kind, cudaStream_t s)
  {
    std::lock_guard<std::mutex> guard(mutex_);
    auto& slot = entries_[{m.data, kind}];
    if (!slot) {
      auto entry = std::make_unique<norm_entry>(m.rows);
      policies_.at(kind)->compute(*entry, m, s);
      entry->publish(s);
      slot = std::move(entry);
    } else {
      slot->wait(s);
    }
    return *slot;
  }

 private:
  std::mutex mutex_;
  std::map<metric, std::unique_ptr<norm_policy>> policies_;
  std::map<std::pair<float const*, metric>, std::unique_ptr<norm_entry>> entries_;
};

}  // namespace knn
