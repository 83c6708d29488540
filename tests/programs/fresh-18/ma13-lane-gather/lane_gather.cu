// Row gather for embedding tables, spread over several concurrent lanes.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

namespace embed {

inline void chk(cudaError_t e, int line) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "lane_gather:%d: %s\n", line, cudaGetErrorString(e));
  std::exit(1);
}
#define CHK(x) ::embed::chk((x), __LINE__)

__global__ void gather_rows(const float* table, int dim, const int32_t* rows, int count, float* out) {
  for (int r = blockIdx.x; r < count; r += gridDim.x) {
    const float* src = table + size_t(rows[r]) * dim;
    float* dst = out + size_t(r) * dim;
    for (int c = threadIdx.x; c < dim; c += blockDim.x) dst[c] = src[c];
  }
}

class LaneGather {
 public:
  LaneGather(int lanes, int rows_per_lane) : cap_(rows_per_lane) {
    CHK(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    for (int i = 0; i < lanes; ++i) lanes_.emplace_back(cap_);
  }
  LaneGather(const LaneGather&) = delete;
  ~LaneGather() { cudaEventDestroy(fork_); }

  // out[i] = table[rows[i]]; `rows` is host memory and may be reused on return.
  // Everything is ordered after earlier and before later work of `stream`.
  void run(const float* table, int dim, const std::vector<int32_t>& rows, float* out, cudaStream_t stream) {
    CHK(cudaEventRecord(fork_, stream));
    size_t pos = 0;
    for (size_t turn = 0; pos < rows.size(); ++turn) {
      Lane& l = lanes_[turn % lanes_.size()];
      const size_t m = std::min<size_t>(cap_, rows.size() - pos);
      std::memcpy(l.staging, rows.data() + pos, m * sizeof(int32_t));
      CHK(cudaStreamWaitEvent(l.stream, fork_, 0));
      CHK(cudaMemcpyAsync(l.index, l.staging, m * sizeof(int32_t), cudaMemcpyHostToDevice, l.stream));
      gather_rows<<<32, 128, 0, l.stream>>>(table, dim, l.index, int(m), out + pos * dim);
      CHK(cudaGetLastError());
      CHK(cudaEventRecord(l.done, l.stream));
      CHK(cudaEventSynchronize(l.done));
      pos += m;
    }
    for (Lane& l : lanes_) CHK(cudaStreamWaitEvent(stream, l.done, 0));
  }

 private:
  struct Lane {
    explicit Lane(int cap) {
      CHK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      CHK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
      CHK(cudaMallocHost(&staging, cap * sizeof(int32_t)));
      CHK(cudaMalloc(&index, cap * sizeof(int32_t)));
    }
    Lane(const Lane&) = delete;
    ~Lane() {
      cudaStreamSynchronize(stream);
      cudaFree(index);
      cudaFreeHost(staging);
      cudaEventDestroy(done);
      cudaStreamDestroy(stream);
    }
    cudaStream_t stream{};
    cudaEvent_t done{};
    int32_t* staging = nullptr;
    int32_t* index = nullptr;
  };

  int cap_;
  cudaEvent_t fork_{};
  std::deque<Lane> lanes_;
};

}  // namespace embed

__global__ void init_table(float* t, int rows, int dim) {
  for (int r = blockIdx.x; r < rows; r += gridDim.x)
    for (int c = threadIdx.x; c < dim; c += blockDim.x) t[size_t(r) * dim + c] = float(r);
}

int main() {
  const int nrows = 1 << 16, dim = 128, batch = 1 << 14;
  cudaStream_t s;
  float *table, *out, h[2] = {};
  CHK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHK(cudaMalloc(&table, size_t(nrows) * dim * sizeof(float)));
  CHK(cudaMalloc(&out, size_t(batch) * dim * sizeof(float)));
  init_table<<<256, 128, 0, s>>>(table, nrows, dim);
  std::vector<int32_t> rows(batch);
  embed::LaneGather gather(4, 4096);
  for (int it = 0; it < 5; ++it) {
    for (int i = 0; i < batch; ++i) rows[i] = int32_t((i * 2654435761u + it) % nrows);
    gather.run(table, dim, rows, out, s);
  }
  CHK(cudaMemcpyAsync(h, out + size_t(batch - 1) * dim, sizeof h, cudaMemcpyDeviceToHost, s));
  CHK(cudaStreamSynchronize(s));
  std::printf("last row %.0f, expected %d\n", h[0], rows.back());
  CHK(cudaFree(out));
  CHK(cudaFree(table));
  CHK(cudaStreamDestroy(s));
  return 0;
}
