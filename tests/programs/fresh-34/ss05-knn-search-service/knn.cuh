#pragma once
// Brute-force nearest neighbours with asynchronous searches.
#include <cuda_runtime.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <vector>

namespace knn {

void ensure(cudaError_t e, char const* what);

// ---- metrics, type-erased towards the index -------------------------------------------------------------------------

struct search_args {
  float const* base;
  float const* queries;
  int rows, dim, nq;
  int* best;
};

class metric {
 public:
  template <class M>
  metric(M m) : self_(std::make_shared<model<M>>(std::move(m)))
  {
  }
  void launch(search_args const& a, cudaStream_t stream) const { self_->launch(a, stream); }
  char const* name() const { return self_->name(); }

 private:
  struct concept_t {
    virtual ~concept_t()                                             = default;
    virtual void launch(search_args const&, cudaStream_t) const      = 0;
    virtual char const* name() const                                 = 0;
  };
  template <class M>
  struct model final : concept_t {
    explicit model(M m) : m_(std::move(m)) {}
    void launch(search_args const& a, cudaStream_t s) const override { m_.launch(a, s); }
    char const* name() const override { return m_.name(); }
    M m_;
  };
  std::shared_ptr<concept_t const> self_;
};

struct l2 {
  void launch(search_args const&, cudaStream_t) const;
  char const* name() const { return "l2"; }
};
struct l1 {
  void launch(search_args const&, cudaStream_t) const;
  char const* name() const { return "l1"; }
};
struct inner_product {
  void launch(search_args const&, cudaStream_t) const;
  char const* name() const { return "ip"; }
};

// ---- index ------------------------------------------------------------------------------------------------------------

struct search_stats {
  std::size_t submitted = 0;
  std::size_t completed = 0;
  std::map<cudaStream_t, std::size_t> per_stream;
};

class flat_index {
 public:
  flat_index(int dim, metric m);
  ~flat_index();
  flat_index(flat_index const&)            = delete;
  flat_index& operator=(flat_index const&) = delete;

  void add(std::vector<float> const& rows);

  // Enqueues a search on `stream`; `best` (device, one int per query) is written in stream order.
  // `on_done(nq)` is called on a driver thread once the search has ended.
  void search_async(float const* queries, int nq, int* best, cudaStream_t stream, std::function<void(int)> on_done = {});

  // Returns when every search submitted so far has ended and been counted.
  void flush();

  search_stats stats() const;
  int rows() const { return rows_; }

 private:
  struct ticket {
    flat_index* index;
    cudaStream_t stream;
    int nq;
    std::function<void(int)> on_done;
  };
  static void CUDART_CB completed(void* raw);

  int dim_;
  int rows_ = 0;
  metric metric_;
  float* base_ = nullptr;
  mutable std::mutex mutex_;
  search_stats stats_;
  std::set<cudaStream_t> active_;
};

}  // namespace knn
