#include "codec.h"

namespace telemetry {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 16;
constexpr unsigned long long kPassNanos = 1'500'000;

__device__ unsigned long long nanos() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__global__ void build_index(const std::int32_t* frame, int samples, unsigned long long* index) {
  unsigned long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < samples; i += gridDim.x * blockDim.x) {
    sum += static_cast<unsigned int>(frame[i]);
  }
  index[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  const unsigned long long until = nanos() + kPassNanos;
  while (nanos() < until) {
  }
}

/// Each pass searches one more predictor; the model search dominates.
__global__ void code_class(const std::int32_t* samples, int count, int passes, std::int32_t* coded) {
  for (int pass = 0; pass < passes; ++pass) {
    const unsigned long long until = nanos() + kPassNanos;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
      const std::int32_t before = i == 0 ? 0 : samples[i - 1];
      const std::int32_t delta = samples[i] - before;
      coded[i] = (delta << 1) ^ (delta >> 31);
    }
    while (nanos() < until) {
    }
  }
}

}  // namespace

Codec::Codec(const CodecConfig& cfg) : cfg_(cfg) {
  for (Lane& lane : lanes_) {
    TM_CHECK(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
    TM_CHECK(cudaEventCreateWithFlags(&lane.done, cudaEventDisableTiming));
    TM_CHECK(cudaMalloc(&lane.coded, cfg_.samples_per_class * sizeof(std::int32_t)));
  }
  TM_CHECK(cudaEventCreateWithFlags(&loaded_, cudaEventDisableTiming));
  TM_CHECK(cudaMalloc(&frame_, frame_samples() * sizeof(std::int32_t)));
  TM_CHECK(cudaMalloc(&index_, kBlocks * kThreads * sizeof(unsigned long long)));
}

Codec::~Codec() {
  for (Lane& lane : lanes_) {
    cudaStreamSynchronize(lane.stream);
    cudaStreamDestroy(lane.stream);
    cudaEventDestroy(lane.done);
    cudaFree(lane.coded);
  }
  cudaEventDestroy(loaded_);
  cudaFree(frame_);
  cudaFree(index_);
}

void Codec::load(const std::int32_t* pinned_frame, cudaStream_t stream) {
  TM_CHECK(cudaMemcpyAsync(frame_, pinned_frame, frame_samples() * sizeof(std::int32_t), cudaMemcpyHostToDevice, stream));
}

void Codec::encode(cudaStream_t stream) {
  build_index<<<kBlocks, kThreads, 0, stream>>>(frame_, static_cast<int>(frame_samples()), index_);
  TM_CHECK(cudaGetLastError());
  TM_CHECK(cudaEventRecord(loaded_, stream));
  for (int c = 0; c < kClasses; ++c) {
    Lane& lane = lanes_[c];
    const std::int32_t* samples = frame_ + static_cast<std::size_t>(c) * cfg_.samples_per_class;
    TM_CHECK(cudaStreamWaitEvent(lane.stream, loaded_, 0));
    code_class<<<kBlocks, kThreads, 0, lane.stream>>>(samples, cfg_.samples_per_class, cfg_.passes[c], lane.coded);
    TM_CHECK(cudaGetLastError());
    TM_CHECK(cudaEventRecord(lane.done, lane.stream));
  }
}

void Codec::finish(cudaStream_t stream) {
  for (Lane& lane : lanes_) TM_CHECK(cudaStreamWaitEvent(stream, lane.done, 0));
}

std::vector<std::int32_t> Codec::download(ChannelClass c) const {
  std::vector<std::int32_t> out(cfg_.samples_per_class);
  const Lane& lane = lanes_[static_cast<int>(c)];
  TM_CHECK(cudaMemcpyAsync(out.data(), lane.coded, out.size() * sizeof(out[0]), cudaMemcpyDeviceToHost, lane.stream));
  TM_CHECK(cudaStreamSynchronize(lane.stream));
  return out;
}

}  // namespace telemetry
