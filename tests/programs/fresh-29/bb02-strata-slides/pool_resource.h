#pragma once
#include "memory_resource.h"

#include <map>
#include <mutex>
#include <unordered_map>

namespace strata {

/// Sub-allocates one slab. Freed blocks are kept per stream and are handed out again on that stream
/// at once; another stream may adopt them when the slab is used up.
class pool_resource final : public memory_resource {
 public:
  explicit pool_resource(std::size_t slab_bytes);
  ~pool_resource() override;

 private:
  struct lane {
    cudaEvent_t last_free{};
    std::multimap<std::size_t, void*> blocks;
  };

  static std::size_t bucket(std::size_t bytes) noexcept;
  lane& lane_of(cudaStream_t s);
  static void* take(lane& l, std::size_t bytes);

  void* do_allocate(std::size_t bytes, cudaStream_t s) override;
  void do_deallocate(void* p, std::size_t bytes, cudaStream_t s) noexcept override;

  std::mutex mu_;
  std::unordered_map<cudaStream_t, lane> lanes_;
  char* slab_{};
  std::size_t capacity_{}, offset_{};
};

}  // namespace strata
