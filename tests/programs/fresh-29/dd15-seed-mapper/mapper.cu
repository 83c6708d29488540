#include "mapper.h"

#include <cstdint>

namespace seeds {

namespace {

__global__ void map_reads(const unsigned* reads, unsigned n, unsigned one_in, unsigned* hits,
                          unsigned capacity, Status* status, long long ns) {
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  } while (static_cast<long long>(t - t0) < ns);
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned s = seed_of(reads[i]);
    if (s % one_in != 0) continue;
    const unsigned k = atomicAdd(&status->hits, 1u);
    if (k < capacity)
      hits[k] = s ^ i;
    else
      status->overflow = 1;
  }
}

}  // namespace

Chunk::Chunk() {
  guard(cudaMallocHost(&reads, kReads * sizeof(unsigned)));
  guard(cudaMallocHost(&hits, kReads * sizeof(unsigned)));
  guard(cudaMallocHost(&status, sizeof(Status)));
  guard(cudaEventCreateWithFlags(&mapped, cudaEventDisableTiming | cudaEventBlockingSync));
}

Chunk::~Chunk() {
  cudaEventDestroy(mapped);
  cudaFreeHost(status);
  cudaFreeHost(hits);
  cudaFreeHost(reads);
}

Mapper::Mapper(int streams) {
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.handleTypes = cudaMemHandleTypeNone;
  props.location.type = cudaMemLocationTypeDevice;
  guard(cudaGetDevice(&props.location.id));
  guard(cudaMemPoolCreate(&pool_, &props));
  uint64_t keep = UINT64_MAX;
  guard(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
  int off = 0;
  guard(cudaMemPoolSetAttribute(pool_, cudaMemPoolReuseAllowInternalDependencies, &off));
  for (int i = 0; i < streams; ++i) {
    cudaStream_t s = nullptr;
    guard(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    streams_.push_back(s);
  }
  prime();
}

Mapper::~Mapper() {
  for (cudaStream_t s : streams_) {
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
  }
  if (pool_) cudaMemPoolDestroy(pool_);
}

Mapper::Scratch Mapper::allocate(unsigned capacity, cudaStream_t s) {
  Scratch x;
  guard(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&x.reads), kReads * sizeof(unsigned),
                                pool_, s));
  guard(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&x.hits), capacity * sizeof(unsigned),
                                pool_, s));
  guard(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&x.status), sizeof(Status), pool_, s));
  return x;
}

void Mapper::release(const Scratch& x, cudaStream_t s) {
  guard(cudaFreeAsync(x.status, s));
  guard(cudaFreeAsync(x.hits, s));
  guard(cudaFreeAsync(x.reads, s));
}

void Mapper::prime() {
  std::vector<Scratch> all;
  for (int round = 0; round < 2; ++round)
    for (cudaStream_t s : streams_) {
      all.push_back(allocate(kReads, s));
      guard(cudaMemsetAsync(all.back().status, 0, sizeof(Status), s));
      map_reads<<<1, 32, 0, s>>>(all.back().reads, 0, 1, all.back().hits, 0, all.back().status, 0);
      guard(cudaGetLastError());
    }
  for (size_t i = 0; i < all.size(); ++i) release(all[i], streams_[i % streams_.size()]);
  drain();
}

void Mapper::drain() {
  for (cudaStream_t s : streams_) guard(cudaStreamSynchronize(s));
}

void Mapper::submit(Chunk& c, long long ns) {
  const cudaStream_t s = streams_[turn_++ % streams_.size()];
  const Scratch x = allocate(c.capacity, s);
  guard(cudaMemcpyAsync(x.reads, c.reads, kReads * sizeof(unsigned), cudaMemcpyHostToDevice, s));
  guard(cudaMemsetAsync(x.status, 0, sizeof(Status), s));
  map_reads<<<4, 128, 0, s>>>(x.reads, kReads, c.one_in, x.hits, c.capacity, x.status, ns);
  guard(cudaGetLastError());
  guard(cudaMemcpyAsync(c.status, x.status, sizeof(Status), cudaMemcpyDeviceToHost, s));
  guard(cudaMemcpyAsync(c.hits, x.hits, c.capacity * sizeof(unsigned), cudaMemcpyDeviceToHost, s));
  release(x, s);
  guard(cudaEventRecord(c.mapped, s));
}

}  // namespace seeds
