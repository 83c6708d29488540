#pragma once
// Stream-ordered device memory resources.
//
// allocate(bytes, stream):   the memory may be used by work submitted to `stream` after the call.
// deallocate(p, bytes, stream): every use of `p` has been submitted to `stream`; the caller need not synchronise.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mr {

struct cuda_error : std::runtime_error {
  explicit cuda_error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e)
{
  if (e != cudaSuccess) throw cuda_error(e);
}

class stream_view {
 public:
  constexpr stream_view() = default;
  constexpr stream_view(cudaStream_t s) : stream_(s) {}
  constexpr cudaStream_t value() const { return stream_; }
  operator cudaStream_t() const { return stream_; }
  void synchronize() const { check(cudaStreamSynchronize(stream_)); }
  friend bool operator==(stream_view a, stream_view b) { return a.stream_ == b.stream_; }
  friend bool operator!=(stream_view a, stream_view b) { return !(a == b); }

 private:
  cudaStream_t stream_{};
};

class device_memory_resource {
 public:
  virtual ~device_memory_resource() = default;

  void* allocate(std::size_t bytes, stream_view stream) { return bytes ? do_allocate(bytes, stream) : nullptr; }
  void deallocate(void* p, std::size_t bytes, stream_view stream)
  {
    if (p) do_deallocate(p, bytes, stream);
  }

 private:
  virtual void* do_allocate(std::size_t bytes, stream_view stream)              = 0;
  virtual void do_deallocate(void* p, std::size_t bytes, stream_view stream)    = 0;
};

class cuda_memory_resource final : public device_memory_resource {
  void* do_allocate(std::size_t bytes, stream_view) override
  {
    void* p = nullptr;
    check(cudaMalloc(&p, bytes));
    return p;
  }
  void do_deallocate(void* p, std::size_t, stream_view) override { check(cudaFree(p)); }
};

// Best-fit pool over whole blocks of the upstream resource.
class pool_memory_resource final : public device_memory_resource {
 public:
  explicit pool_memory_resource(device_memory_resource* upstream) : upstream_(upstream) {}
  pool_memory_resource(pool_memory_resource const&)            = delete;
  pool_memory_resource& operator=(pool_memory_resource const&) = delete;
  ~pool_memory_resource() override;
  std::size_t blocks_owned() const { return owned_.size(); }

 private:
  struct free_block {
    void* ptr;
    stream_view stream;
    cudaEvent_t released;
  };
  void* do_allocate(std::size_t bytes, stream_view stream) override;
  void do_deallocate(void* p, std::size_t bytes, stream_view stream) override;
  static std::size_t round(std::size_t bytes) { return (bytes + 4095) & ~std::size_t{4095}; }

  device_memory_resource* upstream_;
  std::mutex mutex_;
  std::multimap<std::size_t, free_block> free_;
  std::vector<std::pair<void*, std::size_t>> owned_;
  std::vector<cudaEvent_t> spare_events_;
};

class statistics_adaptor final : public device_memory_resource {
 public:
  explicit statistics_adaptor(device_memory_resource* upstream) : upstream_(upstream) {}
  std::size_t current() const { return current_; }
  std::size_t peak() const { return peak_; }

 private:
  void* do_allocate(std::size_t bytes, stream_view stream) override;
  void do_deallocate(void* p, std::size_t bytes, stream_view stream) override;
  device_memory_resource* upstream_;
  std::mutex mutex_;
  std::size_t current_{0}, peak_{0};
};

class limiting_adaptor final : public device_memory_resource {
 public:
  limiting_adaptor(device_memory_resource* upstream, std::size_t limit) : upstream_(upstream), limit_(limit) {}

 private:
  void* do_allocate(std::size_t bytes, stream_view stream) override;
  void do_deallocate(void* p, std::size_t bytes, stream_view stream) override;
  device_memory_resource* upstream_;
  std::mutex mutex_;
  std::size_t limit_, used_{0};
};

// Rounds addresses up to `alignment`, keeping a map back to what the upstream handed out.
class aligned_adaptor final : public device_memory_resource {
 public:
  aligned_adaptor(device_memory_resource* upstream, std::size_t alignment) : upstream_(upstream), alignment_(alignment) {}

 private:
  void* do_allocate(std::size_t bytes, stream_view stream) override;
  void do_deallocate(void* p, std::size_t bytes, stream_view stream) override;
  std::size_t padded(std::size_t bytes) const { return bytes + alignment_ - 256; }
  device_memory_resource* upstream_;
  std::size_t alignment_;
  std::mutex mutex_;
  std::unordered_map<void*, void*> bases_;
};

template <typename T>
class device_uvector {
 public:
  device_uvector(std::size_t n, stream_view stream, device_memory_resource* resource)
    : n_(n), stream_(stream), mr_(resource), data_(static_cast<T*>(mr_->allocate(n * sizeof(T), stream)))
  {
  }
  device_uvector(device_uvector&& o) noexcept
    : n_(o.n_), stream_(o.stream_), mr_(o.mr_), data_(std::exchange(o.data_, nullptr))
  {
  }
  device_uvector(device_uvector const&)            = delete;
  device_uvector& operator=(device_uvector const&) = delete;
  ~device_uvector() { mr_->deallocate(data_, n_ * sizeof(T), stream_); }
  T* data() { return data_; }
  std::size_t size() const { return n_; }

 private:
  std::size_t n_;
  stream_view stream_;
  device_memory_resource* mr_;
  T* data_;
};

}  // namespace mr
