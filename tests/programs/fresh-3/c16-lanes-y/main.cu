// Microscopy stack smoothing: all slices of a stack are filtered in one call on the caller's stream.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "separable.hpp"

namespace {

constexpr int kW = 1024, kH = 600, kSlices = 12;

float voxel(int slice, int i) { return static_cast<float>((i * 31 + slice * 17) % 251); }

double run_stack(filt::separable_filter& f, std::vector<filt::image> const& in, std::vector<filt::image> const& out,
                 cudaStream_t s) {
  auto t0 = std::chrono::steady_clock::now();
  f.apply(in, out, s);
  filt::must(cudaStreamSynchronize(s));
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
}

int clampi(int v, int hi) { return v < 0 ? 0 : v > hi ? hi : v; }

long verify(int slice, std::vector<float> const& got, int r) {
  long wrong = 0;
  for (int y = 0; y < kH; y += 6)
    for (int x = 0; x < kW; ++x) {
      double acc = 0;
      for (int dy = -r; dy <= r; ++dy)
        for (int dx = -r; dx <= r; ++dx)
          acc += voxel(slice, clampi(y + dy, kH - 1) * kW + clampi(x + dx, kW - 1));
      if (!(std::fabs(got[y * kW + x] - acc) < 0.5)) ++wrong;
    }
  return wrong;
}

}  // namespace

int main() {
  try {
    cudaStream_t stream;
    filt::must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    std::vector<filt::image> in(kSlices), out(kSlices);
    std::vector<float> host(kW * kH);
    for (int s = 0; s < kSlices; ++s) {
      in[s] = out[s] = {nullptr, kW, kH};
      filt::must(cudaMalloc(&in[s].data, host.size() * sizeof(float)));
      filt::must(cudaMalloc(&out[s].data, host.size() * sizeof(float)));
      for (int i = 0; i < kW * kH; ++i) host[i] = voxel(s, i);
      filt::must(cudaMemcpy(in[s].data, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
    }
    filt::must(cudaDeviceSynchronize());

    long wrong = 0;
    double ratio = 0;
    {
      filt::filter_options opt;
      opt.max_width = kW;
      opt.max_height = kH;
      filt::separable_filter filter(opt);

      std::vector<filt::image> const one_in(in.begin(), in.begin() + 1), one_out(out.begin(), out.begin() + 1);
      run_stack(filter, in, out, stream);
      double const single = run_stack(filter, one_in, one_out, stream);
      double const whole = run_stack(filter, in, out, stream);
      ratio = whole / (single * kSlices / opt.lanes);
      std::printf("one slice %.1f ms, stack of %d %.1f ms\n", single, kSlices, whole);

      for (int s = 0; s < kSlices; ++s) {
        filt::must(cudaMemcpy(host.data(), out[s].data, host.size() * sizeof(float), cudaMemcpyDeviceToHost));
        wrong += verify(s, host, opt.radius);
      }
    }
    for (int s = 0; s < kSlices; ++s) {
      filt::must(cudaFree(in[s].data));
      filt::must(cudaFree(out[s].data));
    }
    filt::must(cudaStreamDestroy(stream));
    if (wrong)
      std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
      std::printf("SLOW %.2f\n", ratio);
    else
      std::printf("DONE\n");
  } catch (std::exception const& e) {
    std::printf("ERROR %s\n", e.what());
  }
  return 0;
}
