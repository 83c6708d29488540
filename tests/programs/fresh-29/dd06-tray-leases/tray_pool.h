#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

namespace radar {

struct DeviceFault : std::runtime_error {
  explicit DeviceFault(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)) {}
};

inline void expect(cudaError_t c) {
  if (c != cudaSuccess) throw DeviceFault(c);
}

struct Tray {
  int* host_in = nullptr;
  int* host_out = nullptr;
  int* dev_in = nullptr;
  int* dev_out = nullptr;
  size_t samples = 0;
};

// A fixed number of trays, lent one at a time. A lease that was bound to a
// stream returns its tray from that stream, a lease that was not returns it
// from the destructor.
class TrayPool {
  struct Entry;

 public:
  class Lease {
   public:
    Lease(Lease&& o) noexcept : entry_(o.entry_), stream_(o.stream_), bound_(o.bound_) {
      o.entry_ = nullptr;
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();

    void bind(cudaStream_t s) {
      stream_ = s;
      bound_ = true;
    }
    const Tray& operator*() const;
    const Tray* operator->() const { return &**this; }

   private:
    friend class TrayPool;
    explicit Lease(Entry* e) : entry_(e) {}
    Entry* entry_;
    cudaStream_t stream_ = nullptr;
    bool bound_ = false;
  };

  TrayPool(int count, size_t samples);
  ~TrayPool();
  TrayPool(const TrayPool&) = delete;
  TrayPool& operator=(const TrayPool&) = delete;

  Lease take();
  std::optional<Lease> take_within(std::chrono::milliseconds patience);
  int high_water() const { return high_water_; }

 private:
  struct Entry {
    Tray tray;
    TrayPool* pool = nullptr;
  };
  static void CUDART_CB returned(void* entry);
  void put_back(Entry* e);
  Lease pop_locked();
  void release_memory();

  std::mutex mutex_;
  std::condition_variable home_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<Entry*> free_;
  int high_water_ = 0;
};

}  // namespace radar
