#pragma once
// Current stream of the calling thread, an arena and fields.
#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace field {

struct device_error : std::runtime_error {
  explicit device_error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};
inline void must(cudaError_t e)
{
  if (e != cudaSuccess) throw device_error(e);
}

class device {
 public:
  static void initialise(int streams);
  static void finalise();
  static cudaStream_t current();
  static int count();
  static cudaStream_t stream(int i);

 private:
  friend class stream_region;
  static thread_local cudaStream_t current_;
};

// Work of the enclosing scope goes to stream `i`.
class stream_region {
 public:
  explicit stream_region(int i) : saved_(device::current_) { device::current_ = device::stream(i % device::count()); }
  stream_region(stream_region const&)            = delete;
  stream_region& operator=(stream_region const&) = delete;
  ~stream_region() { device::current_ = saved_; }

 private:
  cudaStream_t saved_;
};

// A point in the current stream that others can be put behind.
class marker {
 public:
  marker() { must(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
  marker(marker const&)            = delete;
  marker& operator=(marker const&) = delete;
  ~marker() { cudaEventDestroy(e_); }
  void set() { must(cudaEventRecord(e_, device::current())); }
  void follow() const { must(cudaStreamWaitEvent(device::current(), e_, 0)); }

 private:
  cudaEvent_t e_ = nullptr;
};

class arena {
 public:
  arena() = default;
  arena(arena const&)            = delete;
  arena& operator=(arena const&) = delete;
  ~arena();

  void* take(std::size_t bytes);
  void give(void* p);                        // no work uses p any more
  void give_behind(void* p, cudaStream_t s); // after the work submitted to s so far
  std::size_t blocks() const;

 private:
  struct parcel {
    arena* owner;
    void* p;
  };
  static void CUDART_CB arrive(void* raw);
  static std::size_t bucket(std::size_t bytes);

  mutable std::mutex mutex_;
  std::multimap<std::size_t, void*> idle_;
  std::map<void*, std::size_t> sizes_;
};

arena& the_arena();

// Temporary storage that outlives its scope as long as the stream of its birth needs it.
template <class T>
class scratch {
 public:
  explicit scratch(std::size_t n)
    : stream_(device::current()), p_(static_cast<T*>(the_arena().take(n * sizeof(T))))
  {
  }
  scratch(scratch&& o) noexcept : stream_(o.stream_), p_(std::exchange(o.p_, nullptr)) {}
  scratch(scratch const&)            = delete;
  scratch& operator=(scratch const&) = delete;
  ~scratch()
  {
    if (p_) the_arena().give_behind(p_, stream_);
  }
  T* get() const { return p_; }

 private:
  cudaStream_t stream_;
  T* p_;
};

class grid_field {
 public:
  explicit grid_field(int n);
  ~grid_field();
  grid_field(grid_field const&)            = delete;
  grid_field& operator=(grid_field const&) = delete;
  int size() const { return n_; }
  void set(int value);
  // value[i] <- (value[i-1] + value[i] + value[i+1]) mod m, periodic, through a temporary
  void smear(int m);
  void add(grid_field const& other);
  long long total() const;  // waits for the current stream
  std::vector<int> download() const;

 private:
  int n_;
  int* data_;
};

}  // namespace field
