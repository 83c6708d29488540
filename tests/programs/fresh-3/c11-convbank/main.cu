// EEG feature extraction: a recording is produced on the GPU and run through a chain of FIR filters,
// one output channel per filter.
#include <cmath>
#include <cstdio>
#include <vector>

#include "filter_bank.hpp"

namespace {

constexpr int kSamples = 100000;
constexpr int kRecordings = 3;
constexpr int kBands = 3;

__host__ __device__ inline float sample(int rec, int i) {
  unsigned h = static_cast<unsigned>(i) * 2654435761u + static_cast<unsigned>(rec) * 97u;
  h ^= h >> 16;
  return static_cast<float>(h % 513u) / 256.f - 1.f;
}

__global__ void synthesise(float* out, int n, int rec, long long cycles) {
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = sample(rec, i);
}

dsp::taps band_taps(int band) {
  dsp::taps t;
  t.count = 16 + 12 * band;
  for (int k = 0; k < t.count; ++k)
    t.value[k] = static_cast<float>(std::cos(0.2 * (band + 1) * k) / (1.0 + 0.1 * k));
  return t;
}

long verify(int rec, int band, std::vector<float> const& got) {
  dsp::taps const t = band_taps(band);
  long wrong = 0;
  for (int i = 0; i < kSamples; ++i) {
    double acc = 0;
    for (int k = 0; k < t.count && k <= i; ++k) acc += static_cast<double>(t.value[k]) * sample(rec, i - k);
    if (band == kBands - 1) acc = std::fabs(acc);
    if (!(std::fabs(acc - got[i]) < 1e-3)) ++wrong;
  }
  return wrong;
}

}  // namespace

int main() {
  try {
    cudaStream_t stream;
    dsp::expect_success(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    std::vector<std::unique_ptr<dsp::filter>> bank;
    for (int b = 0; b < kBands; ++b)
      bank.push_back(b == kBands - 1 ? dsp::make_rectified_fir(band_taps(b)) : dsp::make_fir(band_taps(b)));

    float* recording = nullptr;
    dsp::expect_success(cudaMalloc(&recording, kSamples * sizeof(float)));
    std::vector<float*> channel(kBands, nullptr);
    for (auto& c : channel) dsp::expect_success(cudaMalloc(&c, kSamples * sizeof(float)));

    std::vector<std::vector<float>> host(kBands, std::vector<float>(kSamples));
    long wrong = 0;
    for (int rec = 0; rec < kRecordings; ++rec) {
      synthesise<<<48, 256, 0, stream>>>(recording, kSamples, rec, 100'000'000LL);
      dsp::expect_success(cudaGetLastError());
      for (int b = 0; b < kBands; ++b) bank[b]->apply(recording, channel[b], kSamples, stream);
      for (int b = 0; b < kBands; ++b)
        dsp::expect_success(
            cudaMemcpyAsync(host[b].data(), channel[b], kSamples * sizeof(float), cudaMemcpyDeviceToHost, stream));
      dsp::expect_success(cudaStreamSynchronize(stream));
      for (int b = 0; b < kBands; ++b) wrong += verify(rec, b, host[b]);
    }

    for (auto& c : channel) dsp::expect_success(cudaFree(c));
    dsp::expect_success(cudaFree(recording));
    dsp::expect_success(cudaStreamDestroy(stream));
    if (wrong)
      std::printf("WRONG %ld\n", wrong);
    else
      std::printf("DONE\n");
  } catch (std::system_error const& e) {
    std::printf("ERROR %s\n", cudaGetErrorName(static_cast<cudaError_t>(e.code().value())));
  }
  return 0;
}
