// Throughput of the range-Doppler chain: one stream per receive channel and a
// lead stream for detection. Reports the time per dwell in steady state.
#include <cmath>
#include <vector>

#include "radar.cuh"

namespace {

template <int Channels, int Taps>
class Chain {
  static_assert(Channels <= kMaxChannels, "too many receive channels");

 public:
  Chain() {
    RD(cudaStreamCreateWithFlags(&lead_, cudaStreamNonBlocking));
    RD(cudaEventCreateWithFlags(&dwell_start_, cudaEventDisableTiming));
    RD(cudaEventCreate(&start_));
    RD(cudaEventCreate(&stop_));
    for (int c = 0; c < Channels; ++c) {
      RD(cudaStreamCreateWithFlags(&rx_[c], cudaStreamNonBlocking));
      RD(cudaEventCreateWithFlags(&rx_done_[c], cudaEventDisableTiming));
      RD(cudaMalloc(&cube_.compressed[c], kCells * sizeof(int)));
    }
    RD(cudaMalloc(&cube_.detections, kCells * sizeof(int)));
    RD(cudaMalloc(&cube_.busy, sizeof(BusyTime)));
    RD(cudaMemsetAsync(cube_.detections, 0, kCells * sizeof(int), lead_));
    clear_busy();
  }
  ~Chain() {
    for (int c = 0; c < Channels; ++c) {
      cudaStreamDestroy(rx_[c]);
      cudaEventDestroy(rx_done_[c]);
      cudaFree(cube_.compressed[c]);
    }
    cudaFree(cube_.detections);
    cudaFree(cube_.busy);
    cudaEventDestroy(dwell_start_);
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
    cudaStreamDestroy(lead_);
  }
  Chain(const Chain&) = delete;

  void dwell(int d) {
    RD(cudaEventRecord(dwell_start_, lead_));
    for (int c = 0; c < Channels; ++c) {
      RD(cudaStreamWaitEvent(rx_[c], dwell_start_, 0));
      pulse_compress<Taps><<<8, 256, 0, rx_[c]>>>(cube_, c, d, 6000);
      RD(cudaGetLastError());
      RD(cudaEventRecord(rx_done_[c], rx_[c]));
    }
    for (int c = 0; c < Channels; ++c) RD(cudaStreamWaitEvent(lead_, rx_done_[c], 0));
    cfar<Channels><<<kCells / 256, 256, 0, lead_>>>(cube_, kThreshold);
    RD(cudaGetLastError());
  }

  float measure(int first, int dwells) {
    clear_busy();
    RD(cudaEventRecord(start_, lead_));
    for (int d = 0; d < dwells; ++d) dwell(first + d);
    RD(cudaEventRecord(stop_, lead_));
    RD(cudaEventSynchronize(stop_));
    float ms = 0.0f;
    RD(cudaEventElapsedTime(&ms, start_, stop_));
    return ms;
  }

  double busy_ms() {
    BusyTime b;
    RD(cudaMemcpyAsync(&b, cube_.busy, sizeof b, cudaMemcpyDeviceToHost, lead_));
    RD(cudaStreamSynchronize(lead_));
    return double(b.to - b.from) * 1e-6;
  }

  int verify(int dwells) {
    std::vector<int> got(kCells);
    RD(cudaMemcpyAsync(got.data(), cube_.detections, kCells * sizeof(int), cudaMemcpyDeviceToHost, lead_));
    RD(cudaStreamSynchronize(lead_));
    int wrong = 0;
    for (int i = 0; i < kCells; ++i) {
      int want = 0;
      for (int d = 0; d < dwells; ++d) {
        int sum = 0;
        for (int c = 0; c < Channels; ++c)
          for (int k = 0; k < Taps; ++k) sum += echo(c, (i + k) % kCells, d) * (k + 1);
        want += sum > kThreshold * Channels;
      }
      wrong += got[i] != want;
    }
    return wrong;
  }

 private:
  static constexpr int kThreshold = 63 * Taps * (Taps + 1) / 2;

  void clear_busy() {
    const BusyTime none{~0ull, 0ull};
    RD(cudaMemcpyAsync(cube_.busy, &none, sizeof none, cudaMemcpyHostToDevice, lead_));
    RD(cudaStreamSynchronize(lead_));
  }

  Cube cube_{};
  cudaStream_t lead_ = nullptr;
  cudaStream_t rx_[Channels] = {};
  cudaEvent_t rx_done_[Channels] = {};
  cudaEvent_t dwell_start_ = nullptr, start_ = nullptr, stop_ = nullptr;
};

}  // namespace

int main() {
  constexpr int kWarm = 3, kDwells = 20;
  Chain<3, 8> chain;
  for (int d = 0; d < kWarm; ++d) chain.dwell(d);

  const double reported = chain.measure(kWarm, kDwells);
  std::fprintf(stderr, "%.3f ms per dwell\n", reported / kDwells);

  const double busy = chain.busy_ms();
  const int wrong = chain.verify(kWarm + kDwells);
  const double ratio = std::fmax(reported / busy, busy / reported);
  if (wrong)
    std::printf("WRONG %d\n", wrong);
  else if (ratio > 1.5)
    std::printf("SLOW %.2f\n", ratio);
  else
    std::printf("DONE\n");
  return 0;
}
