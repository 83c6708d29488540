#include "beacon.h"

namespace beacon {

namespace {

__global__ void score_kernel(const float* xs, const float* ys, int n, Query q, float* scores) {
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  } while (t - t0 < q.effort_us * 1000ull);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    scores[i] = fabsf(xs[i] - q.x) + fabsf(ys[i] - q.y);
}

float* upload(const std::vector<float>& v) {
  float* p = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&p), v.size() * sizeof(float)));
  check(cudaMemcpy(p, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice));
  return p;
}

}  // namespace

Context::Context(const std::vector<float>& xs, const std::vector<float>& ys, int channels)
    : count_(xs.size()), xs_(upload(xs)), ys_(upload(ys)), channels_(channels), cache_(std::make_shared<PinnedCache>()) {
  for (Channel& c : channels_) {
    check(cudaStreamCreateWithFlags(&c.stream, cudaStreamNonBlocking));
    check(cudaMalloc(reinterpret_cast<void**>(&c.scores), count_ * sizeof(float)));
  }
  check(cudaDeviceSynchronize());
}

Context::~Context() {
  for (Channel& c : channels_) {
    cudaStreamSynchronize(c.stream);
    cudaFree(c.scores);
    cudaStreamDestroy(c.stream);
  }
  cudaFree(xs_);
  cudaFree(ys_);
}

Result Context::submit(const Query& q) {
  Channel& c = channels_[next_];
  next_ = (next_ + 1) % channels_.size();
  Result r(cache_, count_);
  score_kernel<<<24, 128, 0, c.stream>>>(xs_, ys_, static_cast<int>(count_), q, c.scores);
  check(cudaGetLastError());
  check(cudaMemcpyAsync(r.scores_, c.scores, count_ * sizeof(float), cudaMemcpyDeviceToHost, c.stream));
  check(cudaEventRecord(r.done_, c.stream));
  return r;
}

void Context::synchronize() {
  for (Channel& c : channels_) check(cudaStreamSynchronize(c.stream));
}

}  // namespace beacon
