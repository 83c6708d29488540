// A scanner line: expose, smooth, then differentiate and amplify.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "filter.h"

namespace {

constexpr int kWidth = 256;
constexpr int kHeight = 64;

std::vector<float> filtered(const std::vector<float>& in, const std::vector<float>& taps) {
  std::vector<float> out(in.size());
  const int count = int(taps.size());
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      float acc = 0.f;
      for (int t = 0; t < count; ++t) {
        int sx = x + t - count / 2;
        sx = sx < 0 ? 0 : sx > kWidth - 1 ? kWidth - 1 : sx;
        acc += taps[t] * in[y * kWidth + sx];
      }
      out[y * kWidth + x] = acc;
    }
  return out;
}

struct PlaneHolder {
  imgx::Plane plane{nullptr, kWidth, kHeight};
  PlaneHolder() { imgx::checkCuda(cudaMalloc(&plane.data, kWidth * kHeight * sizeof(float))); }
  ~PlaneHolder() { imgx::checkCuda(cudaFree(plane.data)); }
  PlaneHolder(const PlaneHolder&) = delete;
};

}  // namespace

int main() {
  long wrong = 0;
  {
    auto resources = std::make_shared<imgx::StandardGpuResources>();
    PlaneHolder raw, smooth, slope, gain;
    imgx::FilterBank bank(resources);

    const std::vector<std::vector<float>> stages = {
        {1.f, 2.f, 1.f}, {-1.f, 0.f, 1.f}, {0.f, 4.f, 0.f}};

    bank.expose(raw.plane, 3);
    bank.apply(raw.plane, smooth.plane, stages[0]);
    bank.apply(smooth.plane, slope.plane, stages[1]);
    bank.apply(slope.plane, gain.plane, stages[2]);

    std::vector<float> image(kWidth * kHeight);
    resources->syncDefaultStream();
    imgx::checkCuda(cudaMemcpy(image.data(), gain.plane.data, image.size() * sizeof(float),
                               cudaMemcpyDeviceToHost));

    std::vector<float> reference(image.size());
    for (std::size_t i = 0; i < reference.size(); ++i) reference[i] = float((int(i) * 5 + 3) % 23);
    for (const auto& taps : stages) reference = filtered(reference, taps);
    for (std::size_t i = 0; i < image.size(); ++i) wrong += image[i] != reference[i];
  }
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}
