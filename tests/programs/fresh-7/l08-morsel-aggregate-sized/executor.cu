#include "executor.h"

#include <algorithm>

namespace coldb {
namespace {

__device__ void SpinFor(unsigned ms) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - start < ms * 1000000ull);
}

__global__ void HashKernel(const uint32_t* keys, size_t rows, uint32_t* codes, unsigned ms) {
  SpinFor(ms);
  for (size_t i = threadIdx.x; i < rows; i += blockDim.x) codes[i] = keys[i] % kGroups;
}

__global__ void GroupSumKernel(const uint32_t* keys, const uint32_t* codes, size_t rows,
                               unsigned long long* sums) {
  __shared__ unsigned long long local[kGroups];
  if (threadIdx.x < kGroups) local[threadIdx.x] = 0;
  __syncthreads();
  for (size_t i = threadIdx.x; i < rows; i += blockDim.x)
    atomicAdd(&local[codes[i]], static_cast<unsigned long long>(keys[i]));
  __syncthreads();
  if (threadIdx.x < kGroups) sums[threadIdx.x] = local[threadIdx.x];
}

}  // namespace

Executor::~Executor() {
  for (Lane& lane : lanes_)
    if (lane.stream != nullptr) cudaStreamDestroy(lane.stream);
}

Status Executor::Open() {
  unsigned long long* none = nullptr;
  for (Lane& lane : lanes_) {
    COLDB_RETURN_IF_CUDA(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
    COLDB_RETURN_IF_CUDA(cudaMallocAsync(&none, kGroups * sizeof(*none), lane.stream));
    HashKernel<<<1, 256, 0, lane.stream>>>(nullptr, 0, nullptr, 0);
    GroupSumKernel<<<1, 256, 0, lane.stream>>>(nullptr, nullptr, 0, none);
    COLDB_RETURN_IF_CUDA(cudaFreeAsync(none, lane.stream));
    COLDB_RETURN_IF_CUDA(cudaGetLastError());
  }
  return Status::FromCuda(cudaDeviceSynchronize());
}

Status Executor::Prepare(const std::vector<Morsel>& plan) {
  size_t rows = 0;
  for (const Morsel& morsel : plan) rows = std::max(rows, morsel.rows);
  for (Lane& lane : lanes_)
    COLDB_RETURN_IF_ERROR(lane.scratch.Reserve(rows * sizeof(uint32_t)));
  return Status::OK();
}

Status Executor::Submit(Lane* lane, const Morsel& morsel) {
  COLDB_RETURN_IF_ERROR(lane->scratch.Reserve(morsel.rows * sizeof(uint32_t)));
  uint32_t* codes = lane->scratch.As<uint32_t>();
  HashKernel<<<1, 256, 0, lane->stream>>>(morsel.keys, morsel.rows, codes, kScanMillis);
  COLDB_RETURN_IF_CUDA(cudaGetLastError());
  GroupSumKernel<<<1, 256, 0, lane->stream>>>(morsel.keys, codes, morsel.rows, morsel.sums);
  return Status::FromCuda(cudaGetLastError());
}

Status Executor::Run(const std::vector<Morsel>& plan) {
  for (size_t i = 0; i < plan.size(); ++i)
    COLDB_RETURN_IF_ERROR(Submit(&lanes_[i % kLanes], plan[i]));
  for (Lane& lane : lanes_) COLDB_RETURN_IF_CUDA(cudaStreamSynchronize(lane.stream));
  return Status::OK();
}

}  // namespace coldb
