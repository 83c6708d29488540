#include "ranker.h"

namespace rank {

namespace {

__global__ void requantise(int* x, const LayerParams* p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kWidth) x[i] = ((x[i] - p->zero) * p->scale) >> p->shift;
}

__global__ void clamp_u8(int* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kWidth) x[i] = min(max(x[i], 0), 255);
}

}  // namespace

Ranker* RankerBuilder::build() const {
  auto* r = new Ranker;
  RANK_DO(cudaStreamCreateWithFlags(&r->stream_, cudaStreamNonBlocking));
  RANK_DO(cudaMalloc(&r->x_, kWidth * sizeof(int)));
  RANK_DO(cudaMalloc(&r->params_, specs_.size() * sizeof(LayerParams)));
  RANK_DO(cudaMallocHost(&r->staging_, sizeof(LayerParams)));
  RANK_DO(cudaMallocHost(&r->in_, kWidth * sizeof(int)));
  RANK_DO(cudaMallocHost(&r->out_, kWidth * sizeof(int)));

  cudaGraph_t graph = nullptr;
  RANK_DO(cudaStreamBeginCapture(r->stream_, cudaStreamCaptureModeThreadLocal));
  record(*r);
  RANK_DO(cudaStreamEndCapture(r->stream_, &graph));
  RANK_DO(cudaGraphInstantiate(&r->exec_, graph, 0));
  RANK_DO(cudaGraphDestroy(graph));
  return r;
}

void RankerBuilder::record(Ranker& r) const {
  const dim3 grid(kWidth / 256), block(256);
  RANK_DO(cudaMemcpyAsync(r.x_, r.in_, kWidth * sizeof(int), cudaMemcpyHostToDevice, r.stream_));
  for (size_t l = 0; l < specs_.size(); ++l) {
    *r.staging_ = specs_[l].params;
    RANK_DO(cudaMemcpyAsync(r.params_ + l, r.staging_, sizeof(LayerParams), cudaMemcpyHostToDevice, r.stream_));
    requantise<<<grid, block, 0, r.stream_>>>(r.x_, r.params_ + l);
    if (specs_[l].clamp) clamp_u8<<<grid, block, 0, r.stream_>>>(r.x_);
    RANK_DO(cudaGetLastError());
  }
  RANK_DO(cudaMemcpyAsync(r.out_, r.x_, kWidth * sizeof(int), cudaMemcpyDeviceToHost, r.stream_));
}

Ranker::~Ranker() {
  cudaGraphExecDestroy(exec_);
  cudaStreamDestroy(stream_);
  cudaFree(x_);
  cudaFree(params_);
  cudaFreeHost(staging_);
  cudaFreeHost(in_);
  cudaFreeHost(out_);
}

void Ranker::infer(const int* in, int* out) {
  for (int i = 0; i < kWidth; ++i) in_[i] = in[i];
  RANK_DO(cudaGraphLaunch(exec_, stream_));
  RANK_DO(cudaStreamSynchronize(stream_));
  for (int i = 0; i < kWidth; ++i) out[i] = out_[i];
}

}  // namespace rank
