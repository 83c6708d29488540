#pragma once

#include <cuda_runtime.h>

#include <map>
#include <memory>
#include <type_traits>

#include "memory.h"
#include "tone_model.h"

namespace tonelab {

struct Key {
  int pixels;
  Profile profile;
  bool operator<(const Key& o) const { return pixels != o.pixels ? pixels < o.pixels : profile < o.profile; }
};

// Runs the grading chain for any mix of keys.  The first runs of a key are launched kernel by
// kernel; after that the chain is captured once per key and replayed.
class GraphExecutor {
 public:
  struct Limits {
    int eager_runs = 1;
    std::size_t scratch_bytes = 1 << 20;
  };

  GraphExecutor(cudaStream_t stream, std::shared_ptr<const ToneModel> model, Limits limits);
  ~GraphExecutor();
  GraphExecutor(const GraphExecutor&) = delete;
  GraphExecutor& operator=(const GraphExecutor&) = delete;

  // Enqueues one run; `pixels` may be reused on return.
  void run(const Key& key, const float* pixels);

  // Device result of the key's latest run, ordered in the executor's stream.
  const float* output(const Key& key) const { return entries_.at(key)->out.get(); }

  std::size_t graphs() const;

 private:
  struct ExecDelete {
    void operator()(cudaGraphExec_t exec) const { cudaGraphExecDestroy(exec); }
  };
  using Exec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, ExecDelete>;

  struct Entry {
    Key key;
    int runs = 0;
    DeviceArray<float> in;
    DeviceArray<float> out;
    DeviceArray<float> histogram;
    DeviceArray<StageCoeff> coeffs;
    Exec exec;
  };

  Entry& entry_for(const Key& key);
  void enqueue(Entry& entry);
  Exec capture(Entry& entry);

  cudaStream_t stream_;
  std::shared_ptr<const ToneModel> model_;
  Limits limits_;
  ScratchArena scratch_;
  cudaEvent_t fence_ = nullptr;
  std::map<Key, std::unique_ptr<Entry>> entries_;
};

}  // namespace tonelab
