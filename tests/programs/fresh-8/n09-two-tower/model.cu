#include "model.h"

namespace tt {

__global__ void embed(const int* x, int* y, int w) {
  const int row = blockIdx.x, col = threadIdx.x;
  const int* in = x + row * kDim;
  int acc = 0;
  for (int k = 0; k < kDim; ++k) acc += in[k] * ((k + col + w) % 7 - 3);
  y[row * kDim + col] = acc > 0 ? acc : 0;
}

__global__ void match(const int* u, const int* v, int* score) {
  __shared__ int part[kDim];
  const int row = blockIdx.x, col = threadIdx.x;
  part[col] = u[row * kDim + col] * v[row * kDim + col];
  __syncthreads();
  for (int w = kDim / 2; w > 0; w /= 2) {
    if (col < w) part[col] += part[col + w];
    __syncthreads();
  }
  if (col == 0) score[row] = part[0];
}

static void tower(const int* x, int* y, int w) {
  embed<<<kBatch, kDim, 0, currentStream()>>>(x, y, w);
  TT_CHECK(cudaGetLastError());
}

void TwoTower::forward(const Buffers& b) {
  both(helper_,
       [&] { tower(b.user, b.userVec, wu_); },
       [&] { tower(b.item, b.itemVec, wi_); });
  match<<<kBatch, kDim, 0, currentStream()>>>(b.userVec, b.itemVec, b.score);
  TT_CHECK(cudaGetLastError());
}

Replayer::Replayer(TwoTower& m, const Buffers& b) {
  TT_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  StreamScope scope(stream_);

  m.forward(b);
  TT_CHECK(cudaStreamSynchronize(stream_));

  cudaGraph_t g = nullptr;
  TT_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  m.forward(b);
  TT_CHECK(cudaStreamEndCapture(stream_, &g));
  TT_CHECK(cudaGraphInstantiate(&exec_, g, 0));
  TT_CHECK(cudaGraphDestroy(g));
}

Replayer::~Replayer() {
  cudaGraphExecDestroy(exec_);
  cudaStreamDestroy(stream_);
}

void Replayer::replay() { TT_CHECK(cudaGraphLaunch(exec_, stream_)); }

}  // namespace tt
