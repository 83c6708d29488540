#include "row_reduce.cuh"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace kiln;

// An expensive transformation; a thread takes about 10 ms per element.
struct SlowSquare {
  __device__ float operator()(float v) const {
    long long t0 = clock64();
    while (clock64() - t0 < 18000000LL) {
    }
    return v * v;
  }
};

int main() {
  constexpr int rows = 32, cols = 512;
  try {
    cudaStream_t s;
    KILN_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    std::vector<float> in(rows * cols), out(rows);
    for (int i = 0; i < rows * cols; ++i) in[i] = static_cast<float>(i % 3);
    float *d_in, *d_out;
    KILN_CHECK(cudaMalloc(&d_in, in.size() * sizeof(float)));
    KILN_CHECK(cudaMalloc(&d_out, rows * sizeof(float)));
    KILN_CHECK(cudaMemcpyAsync(d_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice, s));
    KILN_CHECK(cudaStreamSynchronize(s));

    Autotuner tuner;
    RowReduce<SlowSquare> reduce({d_in, d_out, rows, cols, {}});
    reduce.run(tuner, s);
    KILN_CHECK(cudaMemcpyAsync(out.data(), d_out, rows * sizeof(float), cudaMemcpyDeviceToHost, s));
    KILN_CHECK(cudaStreamSynchronize(s));
    for (int r = 0; r < rows; ++r) {
      float want = 0.f;
      for (int c = 0; c < cols; ++c) want += in[r * cols + c] * in[r * cols + c];
      if (out[r] != want) {
        std::printf("SLOW sum of row %d\n", r);
        return 1;
      }
    }

    // What the variants really take, by the host's clock.
    for (std::size_t i = 0; i < reduce.num_variants(); ++i) {
      double real = 1e9;
      for (int k = 0; k < 3; ++k) {
        KILN_CHECK(cudaDeviceSynchronize());
        auto t0 = std::chrono::steady_clock::now();
        reduce.variant(i).run(s);
        KILN_CHECK(cudaStreamSynchronize(s));
        real = std::min(real, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count());
      }
      Measurement const& m = tuner.report(reduce.key())[i];
      if (m.median_ms < 0.5 * real) {
        std::printf("SLOW %s was measured as %.3f ms but takes %.3f ms\n", m.variant.c_str(), m.median_ms, real);
        return 1;
      }
    }
    std::printf("DONE\n");
    return 0;
  } catch (std::exception const& e) {
    std::printf("SLOW %s\n", e.what());
    return 1;
  }
}
