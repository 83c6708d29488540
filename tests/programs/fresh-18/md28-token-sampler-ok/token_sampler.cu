#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cstddef>
#include <memory>
#include <random>
#include <stdexcept>

namespace llm::sampling {

struct sampler_params {
  float temperature = 1.0f;
  int top_k         = 40;
};

namespace detail {

inline void expect(cudaError_t st, char const* msg)
{
  if (st != cudaSuccess) { throw std::runtime_error(msg); }
}

template <auto Free>
struct free_with {
  template <typename T>
  void operator()(T* p) const noexcept { Free(p); }
};

template <typename T>
using device_array = std::unique_ptr<T[], free_with<&cudaFree>>;
template <typename T>
using pinned_ptr = std::unique_ptr<T, free_with<&cudaFreeHost>>;

template <typename T>
device_array<T> make_device(std::size_t n)
{
  void* p{};
  expect(cudaMalloc(&p, n * sizeof(T)), "device allocation");
  return device_array<T>{static_cast<T*>(p)};
}

template <typename T>
pinned_ptr<T> make_pinned()
{
  void* p{};
  expect(cudaMallocHost(&p, sizeof(T)), "pinned allocation");
  return pinned_ptr<T>{static_cast<T*>(p)};
}

// exp((logit - best) / temperature), with the best logit first in the sorted range.
struct softmax_weight {
  float const* best;
  float inv_temperature;
  __device__ float operator()(float v) const { return expf((v - *best) * inv_temperature); }
};

__global__ void pick_kernel(float const* cdf, int const* ids, int k, float u, int* token)
{
  float const target = u * cdf[k - 1];
  int i              = 0;
  while (i < k - 1 && cdf[i] <= target) { ++i; }
  *token = ids[i];
}

}  // namespace detail

class token_sampler {
 public:
  token_sampler(int vocab, unsigned seed)
    : vocab_{vocab},
      rng_{seed},
      logits_{detail::make_device<float>(vocab)},
      weights_{detail::make_device<float>(vocab)},
      ids_{detail::make_device<int>(vocab)},
      d_token_{detail::make_device<int>(1)},
      h_token_{detail::make_pinned<int>()}
  {
  }

  // Draws one token from `logits` (device memory, `vocab` entries, produced in `stream`).
  int sample(float const* logits, sampler_params const& params, cudaStream_t stream)
  {
    int const k = clamp_k(params.top_k);
    rank(logits, stream);
    accumulate(k, params.temperature, stream);
    return draw(k, stream);
  }

 private:
  int clamp_k(int k) const { return k < 1 || k > vocab_ ? vocab_ : k; }

  void rank(float const* logits, cudaStream_t stream)
  {
    detail::expect(
      cudaMemcpyAsync(logits_.get(), logits, sizeof(float) * vocab_, cudaMemcpyDeviceToDevice, stream),
      "copy of logits");
    auto const policy = thrust::cuda::par_nosync.on(stream);
    auto keys         = thrust::device_pointer_cast(logits_.get());
    auto ids          = thrust::device_pointer_cast(ids_.get());
    thrust::sequence(policy, ids, ids + vocab_);
    thrust::stable_sort_by_key(policy, keys, keys + vocab_, ids, thrust::greater<float>{});
  }

  void accumulate(int k, float temperature, cudaStream_t stream)
  {
    auto const policy = thrust::cuda::par_nosync.on(stream);
    auto keys         = thrust::device_pointer_cast(logits_.get());
    auto weights      = thrust::device_pointer_cast(weights_.get());
    float const inv   = 1.0f / (temperature > 1e-4f ? temperature : 1e-4f);
    thrust::transform(policy, keys, keys + k, weights, detail::softmax_weight{logits_.get(), inv});
    thrust::inclusive_scan(policy, weights, weights + k, weights);
  }

  int draw(int k, cudaStream_t stream)
  {
    float const u = std::uniform_real_distribution<float>{0.f, 1.f}(rng_);
    detail::pick_kernel<<<1, 1, 0, stream>>>(weights_.get(), ids_.get(), k, u, d_token_.get());
    detail::expect(cudaGetLastError(), "pick kernel");
    detail::expect(
      cudaMemcpyAsync(h_token_.get(), d_token_.get(), sizeof(int), cudaMemcpyDeviceToHost, stream),
      "copy of token");
    detail::expect(cudaStreamSynchronize(stream), "synchronisation");
    return *h_token_;
  }

  int vocab_;
  std::mt19937 rng_;
  detail::device_array<float> logits_;
  detail::device_array<float> weights_;
  detail::device_array<int> ids_;
  detail::device_array<int> d_token_;
  detail::pinned_ptr<int> h_token_;
};

}  // namespace llm::sampling
