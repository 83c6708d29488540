#include "matcher.h"

namespace {

__global__ void match_city(const int* scan, Pose* pose, unsigned* beat, int beams) {
  __shared__ int sx, sy;
  if (threadIdx.x == 0) sx = sy = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < beams; i += blockDim.x) {
    atomicAdd(&sx, scan[i]);
    atomicAdd(&sy, scan[i] * (i & 3));
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    *pose = Pose{sx, sy};
    __threadfence();
    atomicAdd(beat, 1u);
  }
}

class CityMatcher final : public IMatcher {
 public:
  int beams() const override { return 128; }
  void match(const int* scan, Pose* pose, unsigned* beat, cudaStream_t s) override {
    match_city<<<1, 64, 0, s>>>(scan, pose, beat, beams());
    must(cudaGetLastError());
  }
  Pose expected(const int* scan) const override {
    Pose p{0, 0};
    for (int i = 0; i < beams(); ++i) p.x += scan[i], p.y += scan[i] * (i & 3);
    return p;
  }
};

}  // namespace

std::unique_ptr<IMatcher> make_city_matcher() { return std::make_unique<CityMatcher>(); }
