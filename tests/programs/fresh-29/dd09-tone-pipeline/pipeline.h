#pragma once

#include "stages.h"

#include <functional>
#include <memory>

// Two frame slots in turn on one stream. The first frame of a slot after a
// change of size runs as plain launches, later ones as a graph.
class Pipeline {
 public:
  static constexpr int kSlots = 2;
  using Sink = std::function<void(const ToneParams&, const unsigned char* in,
                                  const unsigned char* out, Dims)>;

  explicit Pipeline(Sink sink);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  void submit(Dims d, ToneParams p, const std::function<void(unsigned char*, Dims)>& paint);
  void flush();
  int replays() const { return replays_; }

 private:
  struct Slot {
    unsigned char* in = nullptr;
    unsigned char* out = nullptr;
    ToneParams* params = nullptr;
    size_t capacity = 0;
    cudaEvent_t done = nullptr;
    cudaGraphExec_t exec = nullptr;
    int frames = 0;
    bool busy = false;
  };
  void resize(Dims d);
  void retire(Slot& slot);
  void emit(int index, cudaStream_t s);
  void capture(int index);

  Sink sink_;
  Workspace ws_;
  Blur blur_;
  Histogram histogram_;
  Tone tone_;
  Dims dims_;
  Slot slots_[kSlots];
  cudaStream_t stream_ = nullptr;
  cudaStream_t side_ = nullptr;
  cudaEvent_t fork_ = nullptr;
  cudaEvent_t join_ = nullptr;
  unsigned next_ = 0;
  int replays_ = 0;
};
