#ifndef CONV_LAYER_H_
#define CONV_LAYER_H_

#include "workspace.h"

namespace conv {

constexpr int kSide = 64;
constexpr int kPlane = kSide * kSide;
constexpr int kTaps = 9;

struct Taps {
  int w[kTaps];
};

// A 3x3 convolution on planes of integers, by unrolling and a product with the taps.
class Layer {
 public:
  Layer(Workspace* workspace, int seed);

  void Enqueue(const int* in, int* out, int batch, cudaStream_t stream) const;

  // The same on the host.
  void Reference(const std::vector<int>& in, std::vector<int>* out, int batch) const;

 private:
  Workspace* const workspace_;
  Taps taps_;
};

}  // namespace conv

#endif  // CONV_LAYER_H_
