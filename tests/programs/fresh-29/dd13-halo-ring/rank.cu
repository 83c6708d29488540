#include "rank.h"

#include <thread>

namespace halo {

namespace {

__device__ void stall(long long ns) {
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  } while (static_cast<long long>(t - t0) < ns);
}

__global__ void bulk_step(const unsigned* now, unsigned* next, int n, int time, long long ns) {
  stall(ns);
  for (int i = 2 + blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    next[i] = stencil(now[i - 1], now[i], now[i + 1], time);
}

__global__ void edge_step(const unsigned* now, unsigned* next, int n, int time, long long ns) {
  stall(ns);
  const int i = threadIdx.x == 0 ? 1 : n;
  next[i] = stencil(now[i - 1], now[i], now[i + 1], time);
}

}  // namespace

Rank::Rank(int id, const std::vector<unsigned>& cells, unsigned left, unsigned right)
    : id_(id), n_(static_cast<int>(cells.size())) {
  int least = 0, greatest = 0;
  ensure(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  ensure(cudaStreamCreateWithPriority(&bulk_, cudaStreamNonBlocking, least));
  ensure(cudaStreamCreateWithPriority(&edge_, cudaStreamNonBlocking, greatest));
  ensure(cudaEventCreateWithFlags(&bulk_ready_, cudaEventDisableTiming));
  for (int k = 0; k < 2; ++k) {
    ensure(cudaEventCreateWithFlags(&pub_.edge_ready[k], cudaEventDisableTiming));
    ensure(cudaEventCreateWithFlags(&pub_.fetch_done[k], cudaEventDisableTiming));
    ensure(cudaMalloc(&buffer_[k], (n_ + 2) * sizeof(unsigned)));
  }
  std::vector<unsigned> all;
  all.reserve(n_ + 2);
  all.push_back(left);
  all.insert(all.end(), cells.begin(), cells.end());
  all.push_back(right);
  ensure(cudaMemcpyAsync(buffer_[0], all.data(), all.size() * sizeof(unsigned),
                         cudaMemcpyHostToDevice, edge_));
  ensure(cudaStreamSynchronize(edge_));
}

Rank::~Rank() {
  if (bulk_) {
    cudaStreamSynchronize(bulk_);
    cudaStreamDestroy(bulk_);
  }
  if (edge_) {
    cudaStreamSynchronize(edge_);
    cudaStreamDestroy(edge_);
  }
  cudaEventDestroy(bulk_ready_);
  for (int k = 0; k < 2; ++k) {
    cudaEventDestroy(pub_.edge_ready[k]);
    cudaEventDestroy(pub_.fetch_done[k]);
    cudaFree(buffer_[k]);
  }
}

void Rank::connect(Rank* left, Rank* right, std::atomic<bool>* stop) {
  left_ = left;
  right_ = right;
  stop_ = stop;
}

void Rank::await(const Signal& s, int time) const {
  while (!s.reached(time)) {
    if (stop_->load(std::memory_order_relaxed)) throw Failure("stopped");
    std::this_thread::yield();
  }
}

void Rank::step(int time) {
  const int next = time + 1;
  const long long pause = 100000 + 50000 * ((time + id_) % 5);

  if (time >= 1) ensure(cudaStreamWaitEvent(edge_, bulk_ready_, 0));
  if (time >= 2)
    for (Rank* other : {left_, right_}) {
      await(other->pub_.fetched, time - 1);
      ensure(cudaStreamWaitEvent(edge_, other->pub_.fetch_done[(time - 1) % 2], 0));
    }
  edge_step<<<1, 2, 0, edge_>>>(at(time), at(next), n_, time, pause / 4);
  ensure(cudaGetLastError());

  if (time >= 1) ensure(cudaStreamWaitEvent(bulk_, pub_.edge_ready[time % 2], 0));
  bulk_step<<<8, 128, 0, bulk_>>>(at(time), at(next), n_, time, pause);
  ensure(cudaGetLastError());

  ensure(cudaEventRecord(bulk_ready_, bulk_));
  ensure(cudaEventRecord(pub_.edge_ready[next % 2], edge_));
  pub_.posted.raise(next);

  fetch_halo(next);
}

void Rank::fetch_halo(int time) {
  await(left_->pub_.posted, time);
  await(right_->pub_.posted, time);
  ensure(cudaStreamWaitEvent(edge_, left_->pub_.edge_ready[time % 2], 0));
  ensure(cudaMemcpyAsync(at(time), left_->at(time) + left_->n_, sizeof(unsigned),
                         cudaMemcpyDeviceToDevice, edge_));
  ensure(cudaStreamWaitEvent(edge_, right_->pub_.edge_ready[time % 2], 0));
  ensure(cudaMemcpyAsync(at(time) + n_ + 1, right_->at(time) + 1, sizeof(unsigned),
                         cudaMemcpyDeviceToDevice, edge_));
  ensure(cudaEventRecord(pub_.fetch_done[time % 2], edge_));
  pub_.fetched.raise(time);
}

void Rank::advance(int steps) {
  for (int t = 0; t < steps; ++t) step(t);
  ensure(cudaStreamSynchronize(bulk_));
  ensure(cudaStreamSynchronize(edge_));
}

std::vector<unsigned> Rank::download(int time) const {
  std::vector<unsigned> out(n_);
  ensure(cudaMemcpy(out.data(), at(time) + 1, n_ * sizeof(unsigned), cudaMemcpyDeviceToHost));
  return out;
}

}  // namespace halo
