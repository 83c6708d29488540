#include "IndexShards.h"

namespace vq {

namespace {

constexpr int kThreads = 128;

__device__ unsigned long long nowNanos() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}

// One block for each query: distances to all vectors of the list.
__global__ void visitList(const float* vectors, int n, int dim, const float* queries,
                          float* distances, unsigned visitMicros) {
  const unsigned long long begin = nowNanos();
  const float* query = queries + size_t(blockIdx.x) * dim;
  float* row = distances + size_t(blockIdx.x) * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float sum = 0.f;
    for (int d = 0; d < dim; ++d) {
      const float diff = vectors[size_t(i) * dim + d] - query[d];
      sum += diff * diff;
    }
    row[i] = sum;
  }
  while (nowNanos() - begin < visitMicros * 1000ull) {
  }
}

// Candidate c of a query is the best of every numCandidates-th vector.
__global__ void pickCandidates(const float* distances, int n, int numCandidates, int* candidates) {
  const float* row = distances + size_t(blockIdx.x) * n;
  const int c = threadIdx.x;
  if (c >= numCandidates) return;
  int best = c;
  for (int i = c + numCandidates; i < n; i += numCandidates) {
    if (row[i] < row[best]) best = i;
  }
  candidates[blockIdx.x * numCandidates + c] = best;
}

__global__ void mergeCandidates(const float* distances, int n, int numCandidates,
                                const int* candidates, int64_t firstId, int64_t* ids,
                                float* best) {
  if (threadIdx.x != 0) return;
  const float* row = distances + size_t(blockIdx.x) * n;
  const int* own = candidates + blockIdx.x * numCandidates;
  int winner = own[0];
  for (int c = 1; c < numCandidates; ++c) {
    const int i = own[c];
    if (row[i] < row[winner] || (row[i] == row[winner] && i < winner)) winner = i;
  }
  ids[blockIdx.x] = firstId + winner;
  best[blockIdx.x] = row[winner];
}

}  // namespace

IndexShards::IndexShards(GpuResources* res, const IndexShardsConfig& config)
    : res_(res), config_(config), lists_(res->numShards()) {
  VQ_THROW_IF_NOT(config.dim > 0);
  VQ_THROW_IF_NOT(config.numCandidates > 0 && config.numCandidates <= kThreads);
}

IndexShards::~IndexShards() {
  for (List& list : lists_) {
    if (list.vectors) res_->deallocData(list.vectors);
  }
}

void IndexShards::add(int shard, int n, const float* vectors, int64_t firstId) {
  List& list = lists_.at(shard);
  VQ_THROW_IF_NOT(list.vectors == nullptr && n >= config_.numCandidates);
  const size_t bytes = size_t(n) * config_.dim * sizeof(float);
  list.vectors = static_cast<float*>(res_->allocData(bytes));
  list.n = n;
  list.firstId = firstId;
  VQ_CUDA_VERIFY(cudaMemcpyAsync(list.vectors, vectors, bytes, cudaMemcpyHostToDevice,
                                 res_->getStream(shard)));
  res_->syncShard(shard);
}

void IndexShards::search(int shard, int numQueries, const float* queries, int64_t* ids,
                         float* distances) {
  const List& list = lists_.at(shard);
  VQ_THROW_IF_NOT(list.vectors != nullptr);
  cudaStream_t stream = res_->getStream(shard);

  GpuMemoryReservation all =
      res_->allocTemporary(shard, size_t(numQueries) * list.n * sizeof(float));
  GpuMemoryReservation candidates =
      res_->allocTemporary(shard, size_t(numQueries) * config_.numCandidates * sizeof(int));

  visitList<<<numQueries, kThreads, 0, stream>>>(list.vectors, list.n, config_.dim, queries,
                                                 all.as<float>(), config_.visitMicros);
  pickCandidates<<<numQueries, kThreads, 0, stream>>>(all.as<float>(), list.n,
                                                      config_.numCandidates,
                                                      candidates.as<int>());
  mergeCandidates<<<numQueries, 32, 0, stream>>>(all.as<float>(), list.n, config_.numCandidates,
                                                 candidates.as<int>(), list.firstId, ids,
                                                 distances);
  VQ_CUDA_VERIFY(cudaGetLastError());
}

}  // namespace vq
