#include "book_stats.hpp"

using flow::require;

namespace {

__global__ void rebuild(book_params const* p, unsigned* book, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    book[i] = quantity(p->salt, i);
}

__global__ void sum_volume(unsigned const* book, int n, unsigned* out, long long cycles) {
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {
  }
  unsigned acc = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) acc += book[i];
  atomicAdd(out, acc);
}

__global__ void max_level(unsigned const* book, int n, unsigned* out) {
  unsigned m = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) m = max(m, book[i]);
  atomicMax(out, m);
}

__global__ void count_hits(book_params const* p, unsigned const* book, int n, unsigned* out) {
  unsigned c = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c += book[i] > p->threshold;
  atomicAdd(out, c);
}

__global__ void append(book_params const* p, unsigned const* acc, book_row* log, unsigned* count, unsigned capacity) {
  unsigned at = (*count)++;
  if (at < capacity) log[at] = {p->tick, acc[0], acc[1], acc[2]};
}

}  // namespace

book_stats::book_stats(int levels, int capacity, cudaStream_t stream)
    : levels_(levels), capacity_(capacity), stream_(stream) {
  require(cudaMallocHost(&staged_, sizeof(book_params)));
  require(cudaMalloc(&params_, sizeof(book_params)));
  require(cudaMalloc(&acc_, 3 * sizeof(unsigned)));
  require(cudaMalloc(&count_, sizeof(unsigned)));
  require(cudaMalloc(&log_, capacity * sizeof(book_row)));
  require(cudaEventCreateWithFlags(&consumed_, cudaEventDisableTiming));
  *staged_ = {};
  require(cudaMemsetAsync(count_, 0, sizeof(unsigned), stream_));

  schedule_
      .head([this](cudaStream_t s) {
        require(cudaMallocAsync(&book_, levels_ * sizeof(unsigned), s));
        require(cudaMemcpyAsync(params_, staged_, sizeof(book_params), cudaMemcpyHostToDevice, s));
        require(cudaMemsetAsync(acc_, 0, 3 * sizeof(unsigned), s));
        rebuild<<<32, 256, 0, s>>>(params_, book_, levels_);
        require(cudaGetLastError());
      })
      .branch([this](cudaStream_t s) {
        max_level<<<32, 256, 0, s>>>(book_, levels_, acc_ + 1);
        require(cudaGetLastError());
      })
      .branch([this](cudaStream_t s) {
        sum_volume<<<32, 256, 0, s>>>(book_, levels_, acc_, 20'000'000LL);
        require(cudaGetLastError());
      })
      .branch([this](cudaStream_t s) {
        count_hits<<<32, 256, 0, s>>>(params_, book_, levels_, acc_ + 2);
        require(cudaGetLastError());
      })
      .tail([this](cudaStream_t s) {
        append<<<1, 1, 0, s>>>(params_, acc_, log_, count_, capacity_);
        require(cudaGetLastError());
        require(cudaFreeAsync(book_, s));
      });

  schedule_.issue(stream_);
  require(cudaMemsetAsync(count_, 0, sizeof(unsigned), stream_));
  require(cudaStreamSynchronize(stream_));
  schedule_.record(stream_);
}

book_stats::~book_stats() {
  cudaStreamSynchronize(stream_);
  cudaEventDestroy(consumed_);
  cudaFree(log_);
  cudaFree(count_);
  cudaFree(acc_);
  cudaFree(params_);
  cudaFreeHost(staged_);
}

void book_stats::set(book_params const& p) {
  require(cudaEventSynchronize(consumed_));
  *staged_ = p;
}

void book_stats::evaluate() {
  schedule_.replay(stream_);
  require(cudaEventRecord(consumed_, stream_));
}

std::vector<book_row> book_stats::rows() {
  unsigned n = 0;
  require(cudaMemcpyAsync(&n, count_, sizeof(n), cudaMemcpyDeviceToHost, stream_));
  require(cudaStreamSynchronize(stream_));
  std::vector<book_row> out(n < static_cast<unsigned>(capacity_) ? n : capacity_);
  require(cudaMemcpyAsync(out.data(), log_, out.size() * sizeof(book_row), cudaMemcpyDeviceToHost, stream_));
  require(cudaStreamSynchronize(stream_));
  return out;
}
