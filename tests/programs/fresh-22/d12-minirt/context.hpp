// Execution context of the runtime: a stream, observers of operators, and operators.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace minirt {

inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    throw std::runtime_error(std::string(cudaGetErrorName(status)) + " in " + what);
  }
}

class Context;

/// Told about every operator, on the thread that runs it.
class OpObserver {
 public:
  virtual ~OpObserver() = default;
  virtual void on_begin(const Context& ctx, const char* op) = 0;
  virtual void on_end(const Context& ctx, const char* op) = 0;
};

/// One context per thread. Operators enqueue their work in the stream of the context, which
/// may be replaced at any time between operators; the caller orders the streams among
/// themselves. Profilers and other observers keep working across such a change.
class Context {
 public:
  Context() {
    check(cudaStreamCreateWithFlags(&own_, cudaStreamNonBlocking), "Context");
    stream_ = own_;
  }
  ~Context() {
    cudaStreamSynchronize(own_);
    cudaStreamDestroy(own_);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  cudaStream_t stream() const { return stream_; }
  void set_stream(cudaStream_t stream) { stream_ = stream; }
  void reset_stream() { stream_ = own_; }
  void synchronize() const { check(cudaStreamSynchronize(stream_), "Context::synchronize"); }

  void attach(OpObserver* o) { observers_.push_back(o); }
  void detach(OpObserver* o) {
    observers_.erase(std::remove(observers_.begin(), observers_.end(), o), observers_.end());
  }

  /// Brackets the work of one operator.
  class OpScope {
   public:
    OpScope(const Context& ctx, const char* op) : ctx_(ctx), op_(op) {
      for (OpObserver* o : ctx_.observers_) o->on_begin(ctx_, op_);
    }
    ~OpScope() {
      for (auto it = ctx_.observers_.rbegin(); it != ctx_.observers_.rend(); ++it) {
        (*it)->on_end(ctx_, op_);
      }
    }
    OpScope(const OpScope&) = delete;
    OpScope& operator=(const OpScope&) = delete;

   private:
    const Context& ctx_;
    const char* op_;
  };

 private:
  cudaStream_t own_ = nullptr;
  cudaStream_t stream_ = nullptr;
  std::vector<OpObserver*> observers_;
};

/// Row-major matrices in device memory.
struct Matrix {
  float* data = nullptr;
  int rows = 0;
  int cols = 0;
};

void fill(Context& ctx, Matrix m, float value);
void matmul(Context& ctx, Matrix a, Matrix b, Matrix out);
void bias_relu(Context& ctx, Matrix m, const float* bias);

/// out = relu(a * b + bias), as one operator around two.
void linear(Context& ctx, Matrix a, Matrix b, const float* bias, Matrix out);

}  // namespace minirt
