// Seismic gather processing: one stream migrates traces, a second one computes quality attributes of
// the same shot. Scratch space of both comes from a shared block cache.
#include <cstdio>
#include <exception>
#include <vector>

#include "device_buffer.hpp"

namespace {

constexpr int kSamples = 1 << 18;
constexpr int kShots = 4;

__host__ __device__ inline unsigned trace_sample(unsigned shot, unsigned i) {
  return (i * 747796405u + shot * 2891336453u) >> 7;
}

__global__ void load_traces(unsigned* t, int n, unsigned shot) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) t[i] = trace_sample(shot, i);
}

__global__ void migrate(unsigned const* t, unsigned* image, int n, long long cycles) {
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    image[i] = 3u * t[i] + t[(i + 1) % n];
}

__global__ void attribute_ramp(unsigned* a, int n, unsigned shot) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = shot * 1000u + i % 97u;
}

__global__ void attribute_fold(unsigned const* a, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] ^ a[n - 1 - i];
}

struct stream_handle {
  cudaStream_t s = nullptr;
  stream_handle() { mr::throw_on_error(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)); }
  ~stream_handle() { cudaStreamDestroy(s); }
  operator cudaStream_t() const { return s; }
};

void migrate_shot(mr::block_cache& cache, unsigned* image, unsigned shot, cudaStream_t stream) {
  mr::device_buffer<unsigned> traces(cache, kSamples, stream);
  load_traces<<<kSamples / 256, 256, 0, stream>>>(traces.data(), kSamples, shot);
  migrate<<<32, 256, 0, stream>>>(traces.data(), image, kSamples, 90'000'000LL);
  mr::throw_on_error(cudaGetLastError());
}

void attributes_of_shot(mr::block_cache& cache, unsigned* out, unsigned shot, cudaStream_t stream) {
  mr::device_buffer<unsigned> ramp(cache, kSamples, stream);
  attribute_ramp<<<kSamples / 256, 256, 0, stream>>>(ramp.data(), kSamples, shot);
  attribute_fold<<<kSamples / 256, 256, 0, stream>>>(ramp.data(), out, kSamples);
  mr::throw_on_error(cudaGetLastError());
}

long verify(unsigned shot, std::vector<unsigned> const& image, std::vector<unsigned> const& attr) {
  long wrong = 0;
  for (int i = 0; i < kSamples; ++i) {
    unsigned ref = 3u * trace_sample(shot, i) + trace_sample(shot, (i + 1) % kSamples);
    unsigned ra = (shot * 1000u + i % 97u) ^ (shot * 1000u + (kSamples - 1 - i) % 97u);
    wrong += image[i] != ref;
    wrong += attr[i] != ra;
  }
  return wrong;
}

}  // namespace

int main() {
  try {
    mr::block_cache cache;
    stream_handle migration, quality;
    unsigned *image = nullptr, *attr = nullptr;
    mr::throw_on_error(cudaMalloc(&image, kSamples * sizeof(unsigned)));
    mr::throw_on_error(cudaMalloc(&attr, kSamples * sizeof(unsigned)));
    std::vector<unsigned> h_image(kSamples), h_attr(kSamples);

    long wrong = 0;
    for (unsigned shot = 1; shot <= kShots; ++shot) {
      migrate_shot(cache, image, shot, migration);
      attributes_of_shot(cache, attr, shot, quality);
      mr::throw_on_error(cudaStreamSynchronize(migration));
      mr::throw_on_error(cudaStreamSynchronize(quality));
      mr::throw_on_error(cudaMemcpy(h_image.data(), image, kSamples * sizeof(unsigned), cudaMemcpyDeviceToHost));
      mr::throw_on_error(cudaMemcpy(h_attr.data(), attr, kSamples * sizeof(unsigned), cudaMemcpyDeviceToHost));
      wrong += verify(shot, h_image, h_attr);
    }
    mr::throw_on_error(cudaFree(image));
    mr::throw_on_error(cudaFree(attr));

    auto st = cache.stats();
    std::printf("cache: %zu allocations, %zu/%zu reuses\n", st.device_allocations, st.reused_same_stream,
                st.reused_other_stream);
    if (wrong)
      std::printf("WRONG %ld\n", wrong);
    else
      std::printf("DONE\n");
  } catch (std::exception const& e) {
    std::printf("ERROR %s\n", e.what());
  }
  return 0;
}
