#pragma once
// Stream ordered memory: a pool that keeps one free list per stream, and an owning buffer.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace cq {

inline void expect(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(status));
  std::fflush(stdout);
  std::_Exit(1);
}

class stream_view {
 public:
  constexpr stream_view(cudaStream_t stream) noexcept : stream_{stream} {}
  [[nodiscard]] cudaStream_t value() const noexcept { return stream_; }
  void synchronize() const { expect(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_;
};

class event {
 public:
  event() { expect(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~event() {
    if (event_) cudaEventDestroy(event_);
  }
  event(event&& other) noexcept : event_{std::exchange(other.event_, nullptr)} {}
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  event& operator=(event&&) = delete;

  void record(stream_view stream) { expect(cudaEventRecord(event_, stream.value())); }
  void block(stream_view stream) const { expect(cudaStreamWaitEvent(stream.value(), event_, 0)); }

 private:
  cudaEvent_t event_{};
};

// A freed block serves later allocations of the stream that it was freed on.
class pool_resource {
 public:
  pool_resource() = default;
  pool_resource(const pool_resource&) = delete;
  pool_resource& operator=(const pool_resource&) = delete;
  ~pool_resource() {
    for (void* p : owned_) expect(cudaFree(p));
  }

  void* allocate(std::size_t bytes, stream_view stream) {
    bytes = align(bytes);
    {
      std::lock_guard<std::mutex> lock{mutex_};
      auto& list = free_[stream.value()];
      if (auto it = list.lower_bound(bytes); it != list.end()) {
        void* p = it->second;
        sizes_[p] = it->first;
        list.erase(it);
        return p;
      }
    }
    void* p{};
    expect(cudaMalloc(&p, bytes));
    std::lock_guard<std::mutex> lock{mutex_};
    owned_.push_back(p);
    sizes_[p] = bytes;
    return p;
  }

  void deallocate(void* p, stream_view stream) {
    std::lock_guard<std::mutex> lock{mutex_};
    free_[stream.value()].emplace(sizes_.at(p), p);
  }

 private:
  static std::size_t align(std::size_t n) { return (n + 255) / 256 * 256; }

  std::mutex mutex_;
  std::map<cudaStream_t, std::multimap<std::size_t, void*>> free_;
  std::map<void*, std::size_t> sizes_;
  std::vector<void*> owned_;
};

template <typename T>
class device_buffer {
 public:
  device_buffer(std::size_t size, stream_view stream, pool_resource& mr)
      : data_{static_cast<T*>(mr.allocate(size * sizeof(T), stream))},
        size_{size},
        stream_{stream},
        mr_{&mr} {}
  device_buffer(device_buffer&& other) noexcept
      : data_{std::exchange(other.data_, nullptr)},
        size_{other.size_},
        stream_{other.stream_},
        mr_{other.mr_} {}
  device_buffer(const device_buffer&) = delete;
  device_buffer& operator=(const device_buffer&) = delete;
  device_buffer& operator=(device_buffer&&) = delete;
  ~device_buffer() {
    if (data_) mr_->deallocate(data_, stream_);
  }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] stream_view stream() const noexcept { return stream_; }
  void set_stream(stream_view stream) noexcept { stream_ = stream; }

 private:
  T* data_;
  std::size_t size_;
  stream_view stream_;
  pool_resource* mr_;
};

}  // namespace cq
