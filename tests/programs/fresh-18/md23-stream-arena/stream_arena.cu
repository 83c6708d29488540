#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace arena {

#define ARENA_CUDA_TRY(expr)                                                                   \
  do {                                                                                         \
    cudaError_t const st_ = (expr);                                                            \
    if (st_ != cudaSuccess) { throw std::runtime_error(std::string{#expr " failed: "} + cudaGetErrorString(st_)); } \
  } while (0)

struct stream_view {
  cudaStream_t handle{};
  constexpr cudaStream_t value() const noexcept { return handle; }
};

// Interface shared by all device allocators of the library.
class device_memory_resource {
 public:
  virtual ~device_memory_resource() = default;
  void* allocate(std::size_t bytes, stream_view stream = {}) { return do_allocate(bytes, stream); }
  void deallocate(void* p, std::size_t bytes, stream_view stream = {}) { do_deallocate(p, bytes, stream); }

 private:
  virtual void* do_allocate(std::size_t, stream_view)         = 0;
  virtual void do_deallocate(void*, std::size_t, stream_view) = 0;
};

namespace detail {

struct block {
  char* ptr{};
  std::size_t size{};
  cudaEvent_t released{};
};

constexpr std::size_t align_up(std::size_t n) { return (n + 255) & ~std::size_t{255}; }

// Blocks released on one stream, by size.
class free_list {
 public:
  void push(block b) { blocks_.emplace(b.size, b); }
  std::optional<block> take(std::size_t bytes)
  {
    auto it = blocks_.lower_bound(bytes);
    if (it == blocks_.end() || it->first > 2 * bytes + 4096) { return std::nullopt; }
    block b = it->second;
    blocks_.erase(it);
    return b;
  }

 private:
  std::multimap<std::size_t, block> blocks_;
};

}  // namespace detail

// Stream-ordered sub-allocator over large slabs. Memory released on a stream can be
// reused on that stream at once, and on any other stream when nothing better is found.
class arena_resource final : public device_memory_resource {
 public:
  explicit arena_resource(std::size_t slab_bytes = std::size_t{64} << 20) : slab_bytes_{slab_bytes} {}
  arena_resource(arena_resource const&)            = delete;
  ~arena_resource() override
  {
    cudaDeviceSynchronize();
    for (auto e : events_) { cudaEventDestroy(e); }
    for (auto p : slabs_) { cudaFree(p); }
  }

 private:
  void* do_allocate(std::size_t bytes, stream_view stream) override
  {
    std::lock_guard<std::mutex> lock{mtx_};
    auto const want = detail::align_up(bytes == 0 ? 1 : bytes);
    detail::block b;
    if (auto own = lists_[stream.value()].take(want)) {
      b = *own;
    } else if (auto other = steal(want, stream)) {
      b = *other;
    } else {
      b = carve(want);
    }
    live_[b.ptr] = b;
    return b.ptr;
  }

  void do_deallocate(void* p, std::size_t, stream_view stream) override
  {
    std::lock_guard<std::mutex> lock{mtx_};
    auto it = live_.find(static_cast<char*>(p));
    if (it == live_.end()) { return; }
    ARENA_CUDA_TRY(cudaEventRecord(it->second.released, stream.value()));
    lists_[stream.value()].push(it->second);
    live_.erase(it);
  }

  std::optional<detail::block> steal(std::size_t want, stream_view stream)
  {
    for (auto& [owner, list] : lists_) {
      if (owner == stream.value()) { continue; }
      if (auto b = list.take(want)) {
        return b;
      }
    }
    return std::nullopt;
  }

  detail::block carve(std::size_t want)
  {
    if (cursor_ == nullptr || want > left_) {
      auto const n = want > slab_bytes_ ? want : slab_bytes_;
      void* p{};
      ARENA_CUDA_TRY(cudaMalloc(&p, n));
      slabs_.push_back(p);
      cursor_ = static_cast<char*>(p);
      left_   = n;
    }
    detail::block b{cursor_, want, nullptr};
    ARENA_CUDA_TRY(cudaEventCreateWithFlags(&b.released, cudaEventDisableTiming));
    events_.push_back(b.released);
    cursor_ += want;
    left_ -= want;
    return b;
  }

  std::size_t slab_bytes_;
  std::mutex mtx_;
  std::unordered_map<cudaStream_t, detail::free_list> lists_;
  std::unordered_map<char*, detail::block> live_;
  std::vector<void*> slabs_;
  std::vector<cudaEvent_t> events_;
  char* cursor_{};
  std::size_t left_{};
};

device_memory_resource* get_default_arena()
{
  static arena_resource instance;
  return &instance;
}

}  // namespace arena
