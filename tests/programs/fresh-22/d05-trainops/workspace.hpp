// Scratch memory for operators.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace trainops {

class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const char* where)
      : std::runtime_error(std::string(where) + ": " + cudaGetErrorString(code)), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

inline void check(cudaError_t code, const char* where) {
  if (code != cudaSuccess) throw CudaError(code, where);
}

/// Switches the calling thread to another capture mode for a scope.
class CaptureModeGuard {
 public:
  explicit CaptureModeGuard(cudaStreamCaptureMode mode) : mode_(mode) {
    check(cudaThreadExchangeStreamCaptureMode(&mode_), "CaptureModeGuard");
  }
  ~CaptureModeGuard() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  CaptureModeGuard(const CaptureModeGuard&) = delete;
  CaptureModeGuard& operator=(const CaptureModeGuard&) = delete;

 private:
  cudaStreamCaptureMode mode_;
};

struct Block {
  void* ptr = nullptr;
  std::size_t bytes = 0;
};

class WorkspaceCache;

/// A block for the work that its owner enqueues in one stream until it goes out of scope.
class Workspace {
 public:
  Workspace(WorkspaceCache* cache, Block block, cudaStream_t stream)
      : cache_(cache), block_(block), stream_(stream) {}
  ~Workspace();
  Workspace(Workspace&& o) noexcept
      : cache_(std::exchange(o.cache_, nullptr)), block_(o.block_), stream_(o.stream_) {}
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  Workspace& operator=(Workspace&&) = delete;

  template <typename T>
  T* as() const {
    return static_cast<T*>(block_.ptr);
  }

 private:
  WorkspaceCache* cache_;
  Block block_;
  cudaStream_t stream_;
};

/// Keeps blocks between operators. Shared by all streams and threads of a process. Streams
/// may be in capture (mode thread-local or relaxed). No block is ever returned to the driver.
class WorkspaceCache {
 public:
  static WorkspaceCache& get();

  Workspace acquire(std::size_t bytes, cudaStream_t stream);
  std::size_t reserved() const;

 private:
  friend class Workspace;

  struct Pending {
    Block block;
    cudaEvent_t done;
  };

  void release(Block block, cudaStream_t stream) noexcept;
  void reclaim_locked();
  Block grow_locked(std::size_t bytes);
  cudaEvent_t event_locked();

  mutable std::mutex mutex_;
  std::multimap<std::size_t, Block> idle_;
  std::deque<Pending> pending_;
  std::vector<cudaEvent_t> events_;
  std::size_t reserved_ = 0;
};

}  // namespace trainops
