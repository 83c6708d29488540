#pragma once
#include "op_kernel.h"
#include <map>
#include <mutex>

namespace inferrt {

struct SessionOptions {
  int max_batch = 64;
  int width = 16;
  bool enable_cuda_graph = true;
};

// Graphs of one stream, one per batch size.
class CudaGraphManager {
 public:
  explicit CudaGraphManager(cudaStream_t stream) : stream_(stream) {}
  ~CudaGraphManager();
  bool IsCaptured(int key) const { return graphs_.count(key) != 0; }
  int OutBatch(int key) const { return graphs_.at(key).out_batch; }
  Status CaptureBegin();
  Status CaptureEnd(int key, int out_batch);
  void CaptureDiscard();
  Status Replay(int key);

 private:
  struct Entry {
    cudaGraphExec_t exec;
    int out_batch;
  };
  cudaStream_t stream_;
  std::map<int, Entry> graphs_;
};

class Session {
 public:
  static Status Create(const SessionOptions& opts, std::unique_ptr<Session>* out);
  ~Session();

  void AddNode(std::unique_ptr<OpKernel> op) { nodes_.push_back(std::move(op)); }
  // input: batch rows; output is resized to the rows that the model gives
  Status Run(const std::vector<float>& input, int batch, std::vector<float>* output);

 private:
  explicit Session(const SessionOptions& opts) : opts_(opts) {}
  Status Initialize();
  Status ExecuteNodes(int batch, int* out_batch);
  float* FinalBuffer() const { return nodes_.size() % 2 ? buffers_[1] : buffers_[0]; }

  SessionOptions opts_;
  std::mutex run_mutex_;
  cudaStream_t stream_ = nullptr;
  float* buffers_[2] = {nullptr, nullptr};  // ping-pong
  float* pinned_ = nullptr;
  std::unique_ptr<CudaGraphManager> graphs_;
  std::vector<std::unique_ptr<OpKernel>> nodes_;
};

}  // namespace inferrt
