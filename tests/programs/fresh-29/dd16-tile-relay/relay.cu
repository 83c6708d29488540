#include "relay.h"

#include "link.cuh"

#include <cuda.h>

namespace {

constexpr int kLinks = 3;

Relay::Failure verdict(cudaError_t e) {
  if (e == cudaSuccess) return std::nullopt;
  return std::string(cudaGetErrorName(e));
}

Relay::Failure verdict(CUresult r) {
  if (r == CUDA_SUCCESS) return std::nullopt;
  const char* name = nullptr;
  cuGetErrorName(r, &name);
  return std::string(name ? name : "CUDA_ERROR_UNKNOWN");
}

CUdeviceptr address(unsigned* p) { return reinterpret_cast<CUdeviceptr>(p); }

}  // namespace

#define STEP(expr)                          \
  do {                                      \
    if (auto step_failure = (expr)) return step_failure; \
  } while (0)
#define CALL(expr) STEP(verdict(expr))

Relay::~Relay() {
  for (cudaStream_t s : lanes_)
    if (s) {
      cudaStreamSynchronize(s);
      cudaStreamDestroy(s);
    }
  cudaFree(links_);
  cudaFree(doors_);
  cudaFree(out_);
  if (host_) cudaFreeHost(host_);
}

Relay::Failure Relay::open(unsigned max_tiles) {
  max_tiles_ = max_tiles;
  const size_t bytes = static_cast<size_t>(max_tiles) * kTile * sizeof(unsigned);
  int least = 0, greatest = 0;
  CALL(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  for (int i = 0; i < kLanes; ++i)
    CALL(cudaStreamCreateWithPriority(&lanes_[i], cudaStreamNonBlocking,
                                      i == kControl ? greatest : least));
  CALL(cudaMalloc(&links_, kLinks * sizeof(Link)));
  CALL(cudaMalloc(&doors_, sizeof(Doors)));
  CALL(cudaMalloc(&out_, bytes));
  CALL(cudaMallocHost(&host_, bytes));
  return run(0, 0, nullptr);
}

Relay::Failure Relay::reset() {
  const cudaStream_t s = lanes_[kControl];
  CALL(cudaMemsetAsync(links_, 0, kLinks * sizeof(Link), s));
  CALL(cudaMemsetAsync(doors_, 0, sizeof(Doors), s));
  return verdict(cudaStreamSynchronize(s));
}

Relay::Failure Relay::launch_stages(unsigned tiles, long long ns) {
  sink<<<1, kThreads, 0, lanes_[kSink]>>>(links_ + 2, doors_, out_, tiles);
  CALL(cudaGetLastError());
  filter<<<1, kThreads, 0, lanes_[kQuantise]>>>(links_ + 1, links_ + 2, doors_, tiles, Quantise{});
  CALL(cudaGetLastError());
  filter<<<1, kThreads, 0, lanes_[kWhiten]>>>(links_, links_ + 1, doors_, tiles, Whiten{});
  CALL(cudaGetLastError());
  source<<<1, kThreads, 0, lanes_[kSource]>>>(links_, doors_, tiles, ns, Generate{});
  return verdict(cudaGetLastError());
}

Relay::Failure Relay::attach_drain(unsigned tiles) {
  const cudaStream_t s = lanes_[kDrain];
  CALL(cuStreamWaitValue32(s, address(&doors_->finished), tiles, CU_STREAM_WAIT_VALUE_GEQ));
  const size_t words = static_cast<size_t>(tiles ? tiles : 1) * kTile;
  return verdict(
      cudaMemcpyAsync(host_, out_, words * sizeof(unsigned), cudaMemcpyDeviceToHost, s));
}

Relay::Failure Relay::release() {
  return verdict(cuStreamWriteValue32(lanes_[kControl], address(&doors_->open), 1,
                                      CU_STREAM_WRITE_VALUE_DEFAULT));
}

void Relay::abandon() {
  const cudaStream_t s = lanes_[kControl];
  cuStreamWriteValue32(s, address(&doors_->abandoned), 1, CU_STREAM_WRITE_VALUE_DEFAULT);
  cuStreamWriteValue32(s, address(&doors_->finished), max_tiles_, CU_STREAM_WRITE_VALUE_DEFAULT);
}

Relay::Failure Relay::collect(unsigned tiles, std::vector<unsigned>* result) {
  CALL(cudaStreamSynchronize(lanes_[kDrain]));
  if (result) result->assign(host_, host_ + static_cast<size_t>(tiles) * kTile);
  for (cudaStream_t s : lanes_) CALL(cudaStreamSynchronize(s));
  return std::nullopt;
}

Relay::Failure Relay::run(unsigned tiles, long long ns, std::vector<unsigned>* result) {
  if (tiles > max_tiles_) return std::string("too many tiles");
  STEP(reset());
  Failure failure = launch_stages(tiles, ns);
  if (!failure) failure = attach_drain(tiles);
  if (!failure) failure = release();
  if (failure) {
    abandon();
    return failure;
  }
  return collect(tiles, result);
}
