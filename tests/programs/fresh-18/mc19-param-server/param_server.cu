// Synchronous parameter server on one GPU: std::async workers produce gradients, the server applies them.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <stdexcept>
#include <string>
#include <vector>

struct CudaError : std::runtime_error {
  CudaError(cudaError_t e, int line) : std::runtime_error("line " + std::to_string(line) + ": " + cudaGetErrorString(e)) {}
};
#define CUTHROW(x)                                        \
  do {                                                    \
    if (cudaError_t e_ = (x)) throw CudaError(e_, __LINE__); \
  } while (0)

__global__ void gradient(const float* p, float* g, int n, int worker, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float target = sinf(0.01f * i), noise = 0.01f * ((i * 31 + worker * 17 + step * 7) % 11 - 5), acc = 0;
  for (int r = 0; r < 64; ++r) acc += (p[i] - target) / 64.f;
  g[i] = acc + noise;
}
__global__ void apply(float* p, const float* g, int n, float lr) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] -= lr * g[i];
}
__global__ void decay(float* p, int n, float keep) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= keep;
}
__global__ void sq_error(const float* p, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float d = p[i] - sinf(0.01f * i);
    atomicAdd(out, d * d);
  }
}

struct Settings {
  int n = 1 << 18, workers = 4, steps = 100, decay_every = 8;
  float lr = 0.05f, weight_decay = 1e-3f;
  int blocks() const { return (n + 255) / 256; }
};

struct Worker {
  int id;
  cudaStream_t stream{};
  cudaEvent_t pushed{};
  float* grad{};
  Worker(int i, const Settings& s) : id(i) {
    CUTHROW(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUTHROW(cudaEventCreateWithFlags(&pushed, cudaEventDisableTiming));
    CUTHROW(cudaMalloc(&grad, s.n * sizeof(float)));
  }
  cudaEvent_t push(const float* params, cudaEvent_t fresh, const Settings& s, int step) {
    CUTHROW(cudaStreamWaitEvent(stream, fresh, 0));
    gradient<<<s.blocks(), 256, 0, stream>>>(params, grad, s.n, id, step);
    CUTHROW(cudaGetLastError());
    CUTHROW(cudaEventRecord(pushed, stream));
    return pushed;
  }
  void close() {
    cudaStreamSynchronize(stream);
    cudaFree(grad);
    cudaEventDestroy(pushed);
    cudaStreamDestroy(stream);
  }
};

class Server {
 public:
  explicit Server(Settings s) : s_(s) {
    CUTHROW(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    CUTHROW(cudaEventCreateWithFlags(&fresh_, cudaEventDisableTiming));
    CUTHROW(cudaMalloc(&params_, s.n * sizeof(float)));
    CUTHROW(cudaMalloc(&err_, sizeof(float)));
    CUTHROW(cudaMemsetAsync(params_, 0, s.n * sizeof(float), stream_));
    CUTHROW(cudaEventRecord(fresh_, stream_));
    for (int i = 0; i < s.workers; ++i) team_.emplace_back(i, s);
  }
  ~Server() {
    cudaStreamSynchronize(stream_);
    for (auto& w : team_) w.close();
    cudaFree(params_);
    cudaFree(err_);
    cudaEventDestroy(fresh_);
    cudaStreamDestroy(stream_);
  }
  void train() {
    for (int step = 1; step <= s_.steps; ++step) {
      std::vector<std::future<cudaEvent_t>> round;
      for (auto& w : team_)
        round.push_back(std::async(std::launch::async, [&, step] { return w.push(params_, fresh_, s_, step); }));
      for (size_t i = 0; i < round.size(); ++i) absorb(round[i].get(), team_[i].grad);
      publish(step);
    }
  }
  float error() {
    float h = 0;
    CUTHROW(cudaMemsetAsync(err_, 0, sizeof(float), stream_));
    sq_error<<<s_.blocks(), 256, 0, stream_>>>(params_, err_, s_.n);
    CUTHROW(cudaStreamSynchronize(stream_));
    CUTHROW(cudaMemcpy(&h, err_, sizeof h, cudaMemcpyDeviceToHost));
    return h / s_.n;
  }

 private:
  void absorb(cudaEvent_t pushed, const float* grad) {
    pending_.push_back(grad);
    CUTHROW(cudaStreamWaitEvent(stream_, pushed, 0));
  }
  void publish(int step) {
    for (const float* g : pending_) apply<<<s_.blocks(), 256, 0, stream_>>>(params_, g, s_.n, s_.lr / s_.workers);
    pending_.clear();
    CUTHROW(cudaEventRecord(fresh_, stream_));
    if (s_.decay_every && step % s_.decay_every == 0) regularise();
  }
  void regularise() {
    decay<<<s_.blocks(), 256, 0, stream_>>>(params_, s_.n, 1.f - s_.weight_decay);
    CUTHROW(cudaGetLastError());
  }

  Settings s_;
  cudaStream_t stream_{};
  cudaEvent_t fresh_{};
  float *params_{}, *err_{};
  std::vector<Worker> team_;
  std::vector<const float*> pending_;
};

int main(int argc, char** argv) {
  Settings s;
  if (argc > 1) s.steps = std::atoi(argv[1]);
  if (argc > 2) s.workers = std::atoi(argv[2]);
  try {
    Server server(s);
    server.train();
    std::printf("steps %d mse %.6f\n", s.steps, server.error());
  } catch (const CudaError& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
