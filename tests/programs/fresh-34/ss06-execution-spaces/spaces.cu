#include "spaces.cuh"

namespace exec {

void abort_on(cudaError_t e, char const* where)
{
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", where, cudaGetErrorString(e));
  std::printf("ERROR %s\n", cudaGetErrorName(e));
  std::exit(1);
}

instance::instance(cudaStream_t stream, bool owns) : stream_(stream), owns_(owns) {}

instance::~instance()
{
  if (dscratch_ || hscratch_) cudaStreamSynchronize(stream_);
  cudaFree(dscratch_);
  cudaFreeHost(hscratch_);
  if (owns_) cudaStreamDestroy(stream_);
}

void instance::fence() const { abort_on(cudaStreamSynchronize(stream_), "fence"); }

void* instance::device_scratch(std::size_t bytes)
{
  if (bytes > dbytes_) {
    fence();
    abort_on(cudaFree(dscratch_), "scratch");
    abort_on(cudaMalloc(&dscratch_, bytes), "scratch");
    dbytes_ = bytes;
  }
  return dscratch_;
}

void* instance::host_scratch(std::size_t bytes)
{
  if (bytes > hbytes_) {
    fence();
    abort_on(cudaFreeHost(hscratch_), "scratch");
    abort_on(cudaHostAlloc(&hscratch_, bytes, cudaHostAllocDefault), "scratch");
    hbytes_ = bytes;
  }
  return hscratch_;
}

static cudaStream_t fresh_stream()
{
  cudaStream_t s = nullptr;
  abort_on(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "space");
  return s;
}

static instance* process_instance()
{
  static instance* shared = new instance(fresh_stream(), true);
  return shared;
}

Gpu::Gpu() : p_(process_instance()) { p_->retain(); }
Gpu::Gpu(own_stream_t) : p_(new instance(fresh_stream(), true)) {}
Gpu::Gpu(cudaStream_t borrowed) : p_(new instance(borrowed, false)) {}

}  // namespace exec
