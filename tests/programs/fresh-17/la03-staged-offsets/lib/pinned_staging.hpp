#pragma once

#include "types.hpp"

#include <list>
#include <mutex>

namespace tabula::detail {

/// Pinned host slabs, recycled between calls so that no call pays for cudaMallocHost.
class staging_pool {
 public:
  struct slab {
    void* host        = nullptr;
    std::size_t bytes = 0;
    cudaEvent_t fence = nullptr;  ///< last use by the device
    bool fenced       = false;
  };

  static staging_pool& instance();

  slab take(std::size_t bytes);
  void put(slab s);
  std::size_t slabs_created() const { return created_; }

 private:
  std::mutex mtx_;
  std::list<slab> free_;
  std::size_t created_ = 0;
};

/// Fixed-capacity vector in a staging slab.
template <typename T>
class staging_vector {
 public:
  explicit staging_vector(std::size_t n) : slab_(staging_pool::instance().take(n * sizeof(T))), n_(n) {}
  staging_vector(staging_vector const&)            = delete;
  staging_vector& operator=(staging_vector const&) = delete;
  ~staging_vector() { staging_pool::instance().put(slab_); }

  T* data() { return static_cast<T*>(slab_.host); }
  T& operator[](std::size_t i) { return data()[i]; }
  std::size_t size() const { return n_; }
  std::size_t size_bytes() const { return n_ * sizeof(T); }

  /// Mark everything enqueued to `stream` so far as a user of this vector.
  void used_by(cudaStream_t stream)
  {
    TABULA_CUDA(cudaEventRecord(slab_.fence, stream));
    slab_.fenced = true;
  }

  dbuf to_device(cudaStream_t stream)
  {
    dbuf out(size_bytes(), stream);
    TABULA_CUDA(cudaMemcpyAsync(out.as<void>(), data(), size_bytes(), cudaMemcpyHostToDevice, stream));
    return out;
  }

 private:
  staging_pool::slab slab_;
  std::size_t n_;
};

}  // namespace tabula::detail
