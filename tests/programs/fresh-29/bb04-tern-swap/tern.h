// tern: a small tensor runtime. A Session owns its tensors, one stream and a cache of plans.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tern {

class Error : public std::runtime_error {
 public:
  explicit Error(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void check(cudaError_t code) {
  if (code != cudaSuccess) throw Error(code);
}

class Session;

/// What a forward function sees. Operators are queued in order.
class Frame {
 public:
  Frame(Session& session, cudaStream_t stream, int rows) : session_(session), stream_(stream), rows_(rows) {}

  int rows() const { return rows_; }

  /// x[r][c] = value
  void set(const std::string& x, int cols, float value);
  /// x[r][c] = max(0, x[r][c] * scale[c] + bias[c])
  void scale_bias_relu(const std::string& x, const std::string& scale, const std::string& bias, int cols);

 private:
  Session& session_;
  cudaStream_t stream_;
  int rows_;
};

using Forward = std::function<void(Frame&)>;

/// Sessions share nothing. A session is used by one thread at a time; any number of sessions may be
/// used at the same time, each by its own thread.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Creates the tensor, or replaces its contents. Returns when the values are on the device.
  void load(const std::string& name, const std::vector<float>& values);

  /// Runs `forward` for a batch of `rows`. A plan that comes again is recorded and then replayed, so
  /// `forward` must queue the same operators each time it is called for the same plan and rows.
  void run(const std::string& plan, int rows, const Forward& forward);

  /// The current values of a tensor, after everything queued so far.
  std::vector<float> fetch(const std::string& name);

  float* device_ptr(const std::string& name) const;

 private:
  struct Tensor {
    float* data = nullptr;
    std::size_t count = 0;
  };
  struct Plan {
    int uses = 0;
    cudaGraphExec_t exec = nullptr;
  };

  float* staging(std::size_t count);
  cudaGraphExec_t record(int rows, const Forward& forward);

  cudaStream_t stream_ = nullptr;
  std::map<std::string, Tensor> tensors_;
  std::map<std::pair<std::string, int>, Plan> plans_;
  float* staging_ = nullptr;
  std::size_t staging_count_ = 0;
};

}  // namespace tern
