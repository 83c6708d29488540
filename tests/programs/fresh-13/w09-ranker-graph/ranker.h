#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace rank {

inline void check(cudaError_t e, const char*) {
  if (e == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(e));
  std::fflush(stdout);
  std::_Exit(1);
}
#define RANK_DO(x) ::rank::check((x), #x)

constexpr int kWidth = 1024;

// Quantisation of one layer.
struct LayerParams {
  int scale;
  int zero;
  int shift;
};

struct LayerSpec {
  LayerParams params;
  bool clamp;
};

// A ranking model whose forward pass is replayed as one graph per request.
class Ranker {
 public:
  ~Ranker();
  Ranker(const Ranker&) = delete;
  Ranker& operator=(const Ranker&) = delete;
  void infer(const int* in, int* out);

 private:
  friend class RankerBuilder;
  Ranker() = default;

  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  int* x_ = nullptr;
  LayerParams* params_ = nullptr;
  LayerParams* staging_ = nullptr;
  int* in_ = nullptr;
  int* out_ = nullptr;
};

class RankerBuilder {
 public:
  RankerBuilder& dense(int scale, int zero, int shift) {
    specs_.push_back({{scale, zero, shift}, false});
    return *this;
  }
  RankerBuilder& clamp() {
    specs_.back().clamp = true;
    return *this;
  }
  const std::vector<LayerSpec>& specs() const { return specs_; }
  Ranker* build() const;

 private:
  void record(Ranker& r) const;
  std::vector<LayerSpec> specs_;
};

}  // namespace rank
