#include "index.hpp"
#include <algorithm>

namespace nn {
namespace {
constexpr int kThreads = 64;

// One block for each query; every thread keeps the best of its share.
template <int K>
__global__ void flatKernel(const float* base, int count, const float* queries, int dim, float* distances, idx_t* labels) {
  __shared__ float allDist[kThreads * K];
  __shared__ int allLabel[kThreads * K];
  const float* q = queries + std::size_t(blockIdx.x) * dim;
  float dist[K];
  int label[K];
  for (int i = 0; i < K; ++i) {
    dist[i] = 3e38f;
    label[i] = -1;
  }
  for (int v = threadIdx.x; v < count; v += kThreads) {
    float d = 0;
    for (int j = 0; j < dim; ++j) {
      const float diff = base[std::size_t(v) * dim + j] - q[j];
      d += diff * diff;
    }
    int l = v;
    for (int i = 0; i < K; ++i)
      if (d < dist[i]) {
        const float td = dist[i];
        const int tl = label[i];
        dist[i] = d;
        label[i] = l;
        d = td;
        l = tl;
      }
  }
  for (int i = 0; i < K; ++i) {
    allDist[threadIdx.x * K + i] = dist[i];
    allLabel[threadIdx.x * K + i] = label[i];
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 0; i < K; ++i) {
    int best = 0;
    for (int c = 1; c < kThreads * K; ++c)
      if (allDist[c] < allDist[best]) best = c;
    distances[std::size_t(blockIdx.x) * K + i] = allDist[best];
    labels[std::size_t(blockIdx.x) * K + i] = allLabel[best];
    allDist[best] = 3.2e38f;
  }
}
}  // namespace

idx_t GpuIndex::tile() const { return std::max<idx_t>(res_->staging().pageBytes() / (dim_ * sizeof(float)), 1); }

void GpuIndex::prepare(idx_t rows, int k) {
  if (!queries_) queries_ = deviceAlloc<float>(tile() * dim_);
  if (std::size_t(rows * k) <= room_) return;
  distances_ = deviceAlloc<float>(rows * k);
  labels_ = deviceAlloc<idx_t>(rows * k);
  room_ = rows * k;
}

void GpuIndex::search(idx_t n, const float* queries, int k, float* distances, idx_t* labels) {
  const cudaStream_t stream = res_->defaultStream();
  prepare(n, k);
  for (idx_t at = 0; at < n; at += tile()) {
    const idx_t part = std::min(tile(), n - at);
    res_->staging().upload(queries_.get(), queries + at * dim_, part * dim_ * sizeof(float), stream);
    searchTile(int(part), queries_.get(), k, distances_.get() + at * k, labels_.get() + at * k);
  }
  NN_VERIFY(cudaMemcpyAsync(distances, distances_.get(), n * k * sizeof(float), cudaMemcpyDeviceToHost, stream));
  NN_VERIFY(cudaMemcpyAsync(labels, labels_.get(), n * k * sizeof(idx_t), cudaMemcpyDeviceToHost, stream));
  NN_VERIFY(cudaStreamSynchronize(stream));
}

void GpuIndexFlat::add(idx_t n, const float* vectors) {
  const cudaStream_t stream = res_->defaultStream();
  auto grown = deviceAlloc<float>((count_ + n) * dim_);
  if (count_ > 0)
    NN_VERIFY(cudaMemcpyAsync(grown.get(), vectors_.get(), std::size_t(count_) * dim_ * sizeof(float),
                              cudaMemcpyDeviceToDevice, stream));
  res_->staging().upload(grown.get() + std::size_t(count_) * dim_, vectors, n * dim_ * sizeof(float), stream);
  NN_VERIFY(cudaStreamSynchronize(stream));
  vectors_ = std::move(grown);
  count_ += int(n);
}

void GpuIndexFlat::searchTile(int n, const float* queries, int k, float* distances, idx_t* labels) {
  const cudaStream_t stream = res_->defaultStream();
  if (k != 1 && k != 4) throw GpuException(cudaErrorInvalidValue);
  const auto kernel = k == 1 ? flatKernel<1> : flatKernel<4>;
  kernel<<<n, kThreads, 0, stream>>>(vectors_.get(), count_, queries, dim_, distances, labels);
  NN_VERIFY(cudaGetLastError());
}
}  // namespace nn
