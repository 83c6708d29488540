#include "fir_graph.h"
#include "param_test.h"

#include <algorithm>
#include <cmath>

namespace {

float sampleAt(int block, int i) { return 0.5f + static_cast<float>((i * 29 + block * 7) % 64) / 64.0f; }

std::vector<float> reference(const FirSpec& spec, int block) {
  const std::vector<float> taps = makeTaps(spec.window, spec.radius);
  std::vector<float> out(spec.samples);
  for (int i = 0; i < spec.samples; ++i) {
    double sum = 0.0;
    for (int k = -spec.radius; k <= spec.radius; ++k) {
      const int j = std::min(std::max(i + k, 0), spec.samples - 1);
      sum += static_cast<double>(taps[k + spec.radius]) * sampleAt(block, j);
    }
    out[i] = static_cast<float>(sum);
  }
  return out;
}

int differing(const float* a, const std::vector<float>& b) {
  int count = 0;
  for (size_t i = 0; i < b.size(); ++i) count += !(std::fabs(a[i] - b[i]) <= 1e-3f);
  return count;
}

class TestStream {
 public:
  TestStream() { CUDA_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~TestStream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

const std::vector<FirSpec> kSpecs = {
    {Window::Box, 4, 4096},
    {Window::Triangle, 4, 4096},
    {Window::Box, 10, 1 << 16},
};

}  // namespace

TEST_WITH(FirSpec, RecordsFourNodes, kSpecs) {
  TestStream stream;
  FirGraph fir(param, stream);
  EXPECT_THAT(FirSpec, fir.nodes() == 4);
}

TEST_WITH(FirSpec, FiltersOneBlock, kSpecs) {
  const std::vector<float> expected = reference(param, 0);
  TestStream stream;
  FirGraph fir(param, stream);
  for (int i = 0; i < param.samples; ++i) fir.input()[i] = sampleAt(0, i);
  fir.replay();
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_THAT(FirSpec, differing(fir.output(), expected) == 0);
}

TEST_WITH(FirSpec, FiltersManyBlocks, kSpecs) {
  constexpr int kBlocks = 5;
  std::vector<std::vector<float>> expected;
  for (int block = 0; block < kBlocks; ++block) expected.push_back(reference(param, block));

  TestStream stream;
  FirGraph fir(param, stream);
  for (int block = 0; block < kBlocks; ++block) {
    for (int i = 0; i < param.samples; ++i) fir.input()[i] = sampleAt(block, i);
    fir.replay();
    CUDA_OK(cudaStreamSynchronize(stream));
    EXPECT_THAT(FirSpec, differing(fir.output(), expected[block]) == 0);
  }
}

int main() {
  CUDA_OK(cudaSetDevice(0));
  const int failed = ParamTests<FirSpec>::all().run();
  if (failed != 0) {
    std::printf("WRONG %d\n", failed);
    return 1;
  }
  std::puts("DONE");
  return 0;
}
