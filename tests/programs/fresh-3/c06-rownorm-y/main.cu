// Embedding store ingest: batches of vectors are produced on the GPU, unit-normalised by veclib
// and summarised by their centroid.
#include <cmath>
#include <cstdio>
#include <vector>

#include "normalize.hpp"

namespace {

constexpr int kRows = 1024;
constexpr int kDim = 192;
constexpr int kBatches = 4;

__host__ __device__ inline float embedding_value(unsigned batch, unsigned i) {
  unsigned h = i * 2654435761u + batch * 40503u + 17u;
  h ^= h >> 15;
  h *= 2246822519u;
  h ^= h >> 13;
  return 0.25f + (h & 1023u) / 256.0f * (1.0f + batch);
}

__global__ void encoder_forward(float* out, int n, unsigned batch, long long cycles) {
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = embedding_value(batch, i);
}

long check_batch(unsigned batch, std::vector<float> const& got, std::vector<float> const& mean) {
  long wrong = 0;
  std::vector<double> ref_mean(kDim, 0.0);
  for (int r = 0; r < kRows; ++r) {
    double sq = 0;
    for (int c = 0; c < kDim; ++c) {
      double v = embedding_value(batch, r * kDim + c);
      sq += v * v;
    }
    double inv = 1.0 / std::sqrt(sq);
    for (int c = 0; c < kDim; ++c) {
      double ref = embedding_value(batch, r * kDim + c) * inv;
      ref_mean[c] += ref / kRows;
      if (!(std::fabs(got[r * kDim + c] - ref) < 1e-4)) ++wrong;
    }
  }
  for (int c = 0; c < kDim; ++c)
    if (!(std::fabs(mean[c] - ref_mean[c]) < 1e-4)) ++wrong;
  return wrong;
}

}  // namespace

int main() {
  try {
    cudaStream_t stream;
    veclib::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    long wrong = 0;
    {
      veclib::resources res(stream);
      res.reserve_workspace(kRows);
      thrust::device_vector<float> batch_buf(kRows * kDim), mean_buf(kDim);
      float* d = thrust::raw_pointer_cast(batch_buf.data());
      float* dm = thrust::raw_pointer_cast(mean_buf.data());
      std::vector<float> host(kRows * kDim), mean(kDim);

      for (unsigned b = 0; b < kBatches; ++b) {
        encoder_forward<<<64, 256, 0, stream>>>(d, kRows * kDim, b, 100'000'000LL);
        veclib::check(cudaGetLastError());
        veclib::normalize_rows(res, {d, kRows, kDim}, {});
        veclib::column_means(res, {d, kRows, kDim}, dm);
        veclib::check(cudaMemcpyAsync(host.data(), d, host.size() * sizeof(float), cudaMemcpyDeviceToHost, stream));
        veclib::check(cudaMemcpyAsync(mean.data(), dm, mean.size() * sizeof(float), cudaMemcpyDeviceToHost, stream));
        res.sync();
        wrong += check_batch(b, host, mean);
      }
    }
    veclib::check(cudaStreamDestroy(stream));
    if (wrong)
      std::printf("WRONG %ld\n", wrong);
    else
      std::printf("DONE\n");
  } catch (std::exception const& e) {
    std::printf("ERROR %s\n", e.what());
  }
  return 0;
}
