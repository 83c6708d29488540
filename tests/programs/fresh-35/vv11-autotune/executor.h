#pragma once
#include <memory>

#include "status_or.h"

namespace hlx {

class Stream {
 public:
  static StatusOr<std::unique_ptr<Stream>> Create();
  ~Stream() { cudaStreamDestroy(handle_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t handle() const { return handle_; }
  Status BlockHostUntilDone() { return ToStatus(cudaStreamSynchronize(handle_)); }

 private:
  explicit Stream(cudaStream_t handle) : handle_(handle) {}
  cudaStream_t handle_;
};

// Programs run on the main stream; helpers get streams of their own.
class Executor {
 public:
  static StatusOr<std::unique_ptr<Executor>> Create();
  Stream& main_stream() { return *main_; }
  StatusOr<std::unique_ptr<Stream>> CreateStream() { return Stream::Create(); }

 private:
  std::unique_ptr<Stream> main_;
};

}  // namespace hlx
