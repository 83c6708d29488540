// Serves ranking requests and compares every answer with the scalar model.
#include <algorithm>
#include <memory>

#include "ranker.h"

namespace {

int reference(const std::vector<rank::LayerSpec>& model, int v) {
  for (const auto& l : model) {
    v = ((v - l.params.zero) * l.params.scale) >> l.params.shift;
    if (l.clamp) v = std::min(std::max(v, 0), 255);
  }
  return v;
}

}  // namespace

int main() {
  rank::RankerBuilder builder;
  builder.dense(5, 3, 0).dense(7, 12, 2).clamp().dense(9, 1, 1).dense(3, 40, 0).clamp();
  std::unique_ptr<rank::Ranker> ranker(builder.build());

  std::vector<int> in(rank::kWidth), out(rank::kWidth);
  int wrong = 0;
  for (int request = 0; request < 12; ++request) {
    for (int i = 0; i < rank::kWidth; ++i) in[i] = (i * 3 + request * 17) % 64;
    ranker->infer(in.data(), out.data());
    for (int i = 0; i < rank::kWidth; ++i) wrong += out[i] != reference(builder.specs(), in[i]);
  }

  if (wrong)
    std::printf("WRONG %d\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}
