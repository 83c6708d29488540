#pragma once
#include "stream.cuh"

#include <map>
#include <mutex>
#include <new>

namespace colstore {

/// Stream-ordered memory: what is returned by allocate may be used in `stream`.
class device_resource {
 public:
  virtual ~device_resource()                                             = default;
  virtual void* allocate(std::size_t bytes, stream_view stream)          = 0;
  virtual void deallocate(void* p, std::size_t bytes, stream_view stream) = 0;
};

/// Suballocates one slab and keeps a bin of released blocks for every stream.
class slab_resource final : public device_resource {
 public:
  explicit slab_resource(std::size_t capacity) : capacity_{capacity}
  {
    check(cudaMalloc(reinterpret_cast<void**>(&base_), capacity));
  }
  ~slab_resource() override { cudaFree(base_); }

  void* allocate(std::size_t bytes, stream_view stream) override
  {
    std::lock_guard<std::mutex> guard(mutex_);
    bytes = rounded(bytes);
    if (void* p = pop(bins_[stream.value()], bytes)) return p;
    if (used_ + bytes <= capacity_) {
      void* p = base_ + used_;
      used_ += bytes;
      return p;
    }
    for (auto& [owner, other] : bins_) {
      if (owner == stream.value()) continue;
      if (void* p = pop(other, bytes)) {
        other.released.block(stream);
        return p;
      }
    }
    throw std::bad_alloc();
  }

  void deallocate(void* p, std::size_t bytes, stream_view stream) override
  {
    std::lock_guard<std::mutex> guard(mutex_);
    bin& own = bins_[stream.value()];
    own.released.record(stream);
    own.blocks.emplace(rounded(bytes), p);
  }

 private:
  struct bin {
    event released;
    std::multimap<std::size_t, void*> blocks;
  };

  static std::size_t rounded(std::size_t n) { return (n + 511) & ~std::size_t{511}; }

  static void* pop(bin& b, std::size_t bytes)
  {
    auto it = b.blocks.find(bytes);
    if (it == b.blocks.end()) return nullptr;
    void* p = it->second;
    b.blocks.erase(it);
    return p;
  }

  std::mutex mutex_;
  std::map<cudaStream_t, bin> bins_;
  char* base_{};
  std::size_t used_{};
  std::size_t capacity_;
};

class device_buffer {
 public:
  device_buffer(std::size_t bytes, stream_view stream, device_resource& mr)
    : mr_{&mr}, stream_{stream}, bytes_{bytes}, data_{mr.allocate(bytes, stream)}
  {
  }
  device_buffer(device_buffer&& o) noexcept
    : mr_{o.mr_}, stream_{o.stream_}, bytes_{o.bytes_}, data_{std::exchange(o.data_, nullptr)}
  {
  }
  device_buffer& operator=(device_buffer&& o) noexcept
  {
    if (this != &o) {
      reset();
      mr_     = o.mr_;
      stream_ = o.stream_;
      bytes_  = o.bytes_;
      data_   = std::exchange(o.data_, nullptr);
    }
    return *this;
  }
  ~device_buffer() { reset(); }

  void* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return bytes_; }
  stream_view stream() const noexcept { return stream_; }
  void set_stream(stream_view s) noexcept { stream_ = s; }

 private:
  void reset() noexcept
  {
    if (data_) mr_->deallocate(data_, bytes_, stream_);
    data_ = nullptr;
  }

  device_resource* mr_;
  stream_view stream_;
  std::size_t bytes_;
  void* data_;
};

}  // namespace colstore
