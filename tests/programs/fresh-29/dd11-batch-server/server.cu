#include "server.h"

#include <algorithm>
#include <stdexcept>

namespace serving {

namespace {

__host__ __device__ inline unsigned weigh(unsigned x, int i) {
  unsigned h = x * 2654435761u + static_cast<unsigned>(i) * 40503u;
  return h ^ (h >> 16);
}

__global__ void score_batch(const unsigned* in, unsigned* out, long long ns) {
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  } while (static_cast<long long>(t - t0) < ns);
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const unsigned* row = in + static_cast<size_t>(blockIdx.x) * kFeatures;
  unsigned mine = 0;
  for (int i = threadIdx.x; i < kFeatures; i += blockDim.x) mine += weigh(row[i], i);
  atomicAdd(&sum, mine);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

void raise(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

}  // namespace

unsigned reference_score(const std::vector<unsigned>& features) {
  unsigned sum = 0;
  for (int i = 0; i < kFeatures; ++i) sum += weigh(features[i], i);
  return sum;
}

cudaError_t Server::open_slot(Slot& s) {
  const size_t in = kMaxBatch * kFeatures * sizeof(unsigned);
  const size_t out = kMaxBatch * sizeof(unsigned);
  int least = 0, greatest = 0;
  cudaError_t e = cudaDeviceGetStreamPriorityRange(&least, &greatest);
  const int priority = slots_.size() == 1 ? greatest : least;
  if (e == cudaSuccess)
    e = cudaStreamCreateWithPriority(&s.stream, cudaStreamNonBlocking, priority);
  if (e == cudaSuccess) e = cudaMallocHost(&s.host_in, in);
  if (e == cudaSuccess) e = cudaMallocHost(&s.host_out, out);
  if (e == cudaSuccess) e = cudaMalloc(&s.dev_in, in);
  if (e == cudaSuccess) e = cudaMalloc(&s.dev_out, out);
  if (e != cudaSuccess) return e;
  score_batch<<<1, 128, 0, s.stream>>>(s.dev_in, s.dev_out, 0);
  e = cudaGetLastError();
  return e == cudaSuccess ? cudaStreamSynchronize(s.stream) : e;
}

void Server::close_slot(Slot& s) {
  if (s.stream) {
    cudaStreamSynchronize(s.stream);
    cudaStreamDestroy(s.stream);
  }
  cudaFreeHost(s.host_in);
  cudaFreeHost(s.host_out);
  cudaFree(s.dev_in);
  cudaFree(s.dev_out);
}

Server::Server(Config config) : config_(config) {
  for (int i = 0; i < config_.slots; ++i) {
    slots_.push_back(std::make_unique<Slot>());
    slots_.back()->server = this;
    const cudaError_t e = open_slot(*slots_.back());
    if (e != cudaSuccess) {
      for (auto& s : slots_) close_slot(*s);
      raise(e);
    }
  }
  for (auto& s : slots_) idle_.push(s.get());
  answerer_ = std::thread([this] { answer_loop(); });
  batcher_ = std::thread([this] { batch_loop(); });
}

Server::~Server() {
  inbox_.close();
  batcher_.join();
  for (size_t i = 0; i < slots_.size(); ++i) idle_.pop();
  landed_.close();
  answerer_.join();
  for (auto& s : slots_) close_slot(*s);
}

std::future<Outcome> Server::submit(std::vector<unsigned> features) {
  std::promise<Outcome> promise;
  std::future<Outcome> answer = promise.get_future();
  if (features.size() != static_cast<size_t>(kFeatures)) {
    promise.set_value(Refusal{"wrong number of features"});
    return answer;
  }
  inbox_.push(Request{std::move(features), std::move(promise)});
  return answer;
}

void CUDART_CB Server::landed(void* slot) {
  Slot* s = static_cast<Slot*>(slot);
  s->server->landed_.push(s);
}

cudaError_t Server::launch(Slot& s) {
  const int n = static_cast<int>(s.batch.size());
  for (int r = 0; r < n; ++r)
    std::copy(s.batch[r].features.begin(), s.batch[r].features.end(), s.host_in + r * kFeatures);
  cudaError_t e = cudaMemcpyAsync(s.dev_in, s.host_in, n * kFeatures * sizeof(unsigned),
                                  cudaMemcpyHostToDevice, s.stream);
  if (e != cudaSuccess) return e;
  score_batch<<<n, 128, 0, s.stream>>>(s.dev_in, s.dev_out, config_.kernel_ns);
  e = cudaGetLastError();
  if (e != cudaSuccess) return e;
  e = cudaMemcpyAsync(s.host_out, s.dev_out, n * sizeof(unsigned), cudaMemcpyDeviceToHost,
                      s.stream);
  if (e != cudaSuccess) return e;
  return cudaLaunchHostFunc(s.stream, &Server::landed, &s);
}

void Server::refuse(Slot& s, const std::string& why) {
  for (Request& r : s.batch) r.promise.set_value(Refusal{why});
  s.batch.clear();
}

void Server::batch_loop() {
  while (std::optional<Request> first = inbox_.pop()) {
    Slot& s = **idle_.pop();
    s.batch.push_back(std::move(*first));
    const auto deadline = std::chrono::steady_clock::now() + config_.window;
    while (static_cast<int>(s.batch.size()) < kMaxBatch) {
      std::optional<Request> more = inbox_.pop_until(deadline);
      if (!more) break;
      s.batch.push_back(std::move(*more));
    }
    const cudaError_t e = launch(s);
    if (e != cudaSuccess) {
      cudaStreamSynchronize(s.stream);
      refuse(s, cudaGetErrorName(e));
      idle_.push(&s);
    }
  }
}

void Server::answer_loop() {
  while (std::optional<Slot*> got = landed_.pop()) {
    Slot& s = **got;
    const int n = static_cast<int>(s.batch.size());
    for (int r = 0; r < n; ++r) s.batch[r].promise.set_value(Score{s.host_out[r], n});
    s.batch.clear();
    idle_.push(&s);
  }
}

}  // namespace serving
