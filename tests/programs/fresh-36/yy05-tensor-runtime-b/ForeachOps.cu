#include "CachingHostAllocator.h"
#include "ForeachOps.h"

#include <unordered_map>

namespace tessera {
namespace {

constexpr int kMaxTensors = 64, kMaxDepth = 2, kBlock = 256;

struct TensorListMetadata {
  int numel[kMaxTensors];
  float* addresses[kMaxTensors][kMaxDepth];
};

template <typename Functor>
__global__ void multi_tensor_apply_kernel(const TensorListMetadata* meta, Functor f) {
  const int t = blockIdx.y;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < meta->numel[t]; i += gridDim.x * kBlock) {
    f(meta->addresses[t], i);
  }
}

struct AddFunctor {
  float alpha;
  __device__ void operator()(float* const* p, int i) const { p[0][i] += alpha * p[1][i]; }
};

struct MulFunctor {
  float scale;
  __device__ void operator()(float* const* p, int i) const { p[0][i] *= scale; }
};

// Device side of the tables.
TensorListMetadata* metadataWorkspace(cudaStream_t stream) {
  static std::unordered_map<cudaStream_t, TensorListMetadata*> workspaces;
  auto& ws = workspaces[stream];
  if (ws == nullptr) TESSERA_CUDA_CHECK(cudaMalloc(&ws, sizeof(TensorListMetadata)));
  return ws;
}

template <typename Functor, typename... Lists>
void multi_tensor_apply(Functor f, cudaStream_t stream, const TensorList& first, const Lists&... others) {
  static_assert(1 + sizeof...(others) <= kMaxDepth);
  if (first.size() > kMaxTensors) throw std::invalid_argument("tensor list too long");
  TensorListMetadata* device = metadataWorkspace(stream);
  StagingBuffer staging(sizeof(TensorListMetadata), stream);
  auto* meta = staging.as<TensorListMetadata>();
  for (std::size_t t = 0; t < first.size(); ++t) {
    int d = 0;
    meta->numel[t] = first[t].numel;
    meta->addresses[t][d++] = first[t].data;
    ((meta->addresses[t][d++] = others[t].data), ...);
  }
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(device, meta, sizeof(*meta), cudaMemcpyHostToDevice, stream));
  multi_tensor_apply_kernel<<<dim3(8, static_cast<unsigned>(first.size())), kBlock, 0, stream>>>(device, f);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void foreach_add_(const TensorList& self, const TensorList& other, float alpha, cudaStream_t stream) {
  multi_tensor_apply(AddFunctor{alpha}, stream, self, other);
}

void foreach_mul_(const TensorList& self, float scale, cudaStream_t stream) {
  multi_tensor_apply(MulFunctor{scale}, stream, self);
}

}  // namespace tessera
