#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>

#include <cuda_runtime_api.h>

namespace gblas {

/// Page-locked blocks that are kept between calls, since page-locking is slow.
/// Blocks travel as leases; a lease that ends gives its block back to the cache.
class staging_cache {
  struct block {
    void* host       = nullptr;
    std::size_t size = 0;
    cudaStream_t stream{};
    cudaEvent_t consumed{};
  };

 public:
  class lease {
   public:
    lease() = default;
    lease(staging_cache* owner, block b) : owner_(owner), block_(b) {}
    lease(lease&& o) noexcept : owner_(o.owner_), block_(o.block_) { o.owner_ = nullptr; }
    lease& operator=(lease&&) = delete;
    ~lease()
    {
      if (owner_) owner_->put_back(block_);
    }
    explicit operator bool() const { return owner_ != nullptr; }
    template <typename T>
    T* as() const
    {
      return static_cast<T*>(block_.host);
    }

   private:
    staging_cache* owner_ = nullptr;
    block block_;
  };

  static staging_cache& instance();

  /// A block of at least `bytes` for transfers in `stream`. Empty when the host has no more memory.
  lease borrow(std::size_t bytes, cudaStream_t stream);

  /// Gives all idle blocks back to the system.
  void trim();

 private:
  staging_cache() = default;
  void put_back(block const& b);
  bool usable(block const& b, std::size_t bytes, cudaStream_t stream) const;

  std::mutex lock_;
  std::list<block> idle_;
};

}  // namespace gblas
