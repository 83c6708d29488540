// LSTM inference server: requests are queued, batched, run on a stream and completed from host functions.
#include <cuda_runtime.h>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

#define CUCHK(x)                                                              \
  do {                                                                        \
    cudaError_t rc_ = (x);                                                    \
    if (rc_ != cudaSuccess) {                                                 \
      std::fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(rc_));    \
      std::exit(1);                                                           \
    }                                                                         \
  } while (0)

constexpr int kHidden = 256, kMaxBatch = 8;

__device__ float sigm(float x) { return 1.f / (1.f + __expf(-x)); }

__global__ void lstm_cell(const float* x, float* h, float* c, int t) {
  int b = blockIdx.x, j = threadIdx.x;
  float in = x[b * kHidden + j] * __cosf(0.1f * t), prev = h[b * kHidden + j];
  float i = sigm(in + 0.5f * prev), f = sigm(1.f - 0.3f * in), o = sigm(0.7f * in - prev), g = tanhf(in + prev);
  float cell = f * c[b * kHidden + j] + i * g;
  c[b * kHidden + j] = cell;
  h[b * kHidden + j] = o * tanhf(cell);
}

struct Request {
  float seed;
  int length;
  std::promise<float> answer;
};

class Engine;

struct Job {
  Engine* engine = nullptr;
  std::vector<std::unique_ptr<Request>> reqs;
  float *h_x = nullptr, *h_h = nullptr;
  float *d_x = nullptr, *d_h = nullptr, *d_c = nullptr;
  bool partial = false;
  std::vector<std::function<void(Job&)>> hooks;
};

class Engine {
 public:
  Engine() {
    CUCHK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    thread_ = std::thread([this] { loop(); });
  }
  ~Engine() {
    {
      std::lock_guard<std::mutex> l(m_);
      quit_ = true;
    }
    cv_.notify_all();
    thread_.join();
    cudaStreamSynchronize(stream_);
    reap();
    cudaStreamDestroy(stream_);
  }
  std::future<float> infer(float seed, int length) {
    auto r = std::make_unique<Request>();
    r->seed = seed;
    r->length = length;
    auto f = r->answer.get_future();
    {
      std::lock_guard<std::mutex> l(m_);
      inbox_.push(std::move(r));
    }
    cv_.notify_one();
    return f;
  }

 private:
  void loop() {
    std::unique_lock<std::mutex> l(m_);
    for (;;) {
      cv_.wait_for(l, std::chrono::milliseconds(2), [&] { return quit_ || inbox_.size() >= kMaxBatch; });
      if (inbox_.empty()) {
        if (quit_) return;
        continue;
      }
      auto job = std::make_unique<Job>();
      while (!inbox_.empty() && int(job->reqs.size()) < kMaxBatch) {
        job->reqs.push_back(std::move(inbox_.front()));
        inbox_.pop();
      }
      l.unlock();
      submit(std::move(job));
      reap();
      l.lock();
    }
  }

  void submit(std::unique_ptr<Job> job) {
    const int n = int(job->reqs.size());
    const size_t bytes = size_t(n) * kHidden * sizeof(float);
    job->engine = this;
    job->partial = n < kMaxBatch;
    CUCHK(cudaMallocHost(&job->h_x, bytes));
    CUCHK(cudaMallocHost(&job->h_h, bytes));
    for (float** p : {&job->d_x, &job->d_h, &job->d_c}) CUCHK(cudaMallocAsync((void**)p, bytes, stream_));
    int steps = 0;
    for (int b = 0; b < n; ++b) {
      steps = std::max(steps, job->reqs[b]->length);
      for (int j = 0; j < kHidden; ++j) job->h_x[b * kHidden + j] = job->reqs[b]->seed + 0.001f * j;
    }
    CUCHK(cudaMemcpyAsync(job->d_x, job->h_x, bytes, cudaMemcpyHostToDevice, stream_));
    CUCHK(cudaMemsetAsync(job->d_h, 0, bytes, stream_));
    CUCHK(cudaMemsetAsync(job->d_c, 0, bytes, stream_));
    for (int t = 0; t < steps; ++t) lstm_cell<<<n, kHidden, 0, stream_>>>(job->d_x, job->d_h, job->d_c, t);
    CUCHK(cudaMemcpyAsync(job->h_h, job->d_h, bytes, cudaMemcpyDeviceToHost, stream_));
    job->hooks.push_back([](Job& j) {
      for (size_t b = 0; b < j.reqs.size(); ++b) j.reqs[b]->answer.set_value(j.h_h[b * kHidden]);
    });
    job->hooks.push_back([this](Job& j) {
      if (j.partial) release(j);
    });
    CUCHK(cudaLaunchHostFunc(stream_, &Engine::completed, job.release()));
  }

  static void CUDART_CB completed(void* p) {
    std::unique_ptr<Job> job(static_cast<Job*>(p));
    for (auto& h : job->hooks) h(*job);
    Engine* e = job->engine;
    std::lock_guard<std::mutex> l(e->done_m_);
    e->done_.push_back(std::move(job));
  }

  void release(Job& j) {
    for (float** p : {&j.d_x, &j.d_h, &j.d_c}) {
      if (*p) CUCHK(cudaFreeAsync(*p, stream_));
      *p = nullptr;
    }
  }
  void reap() {
    std::vector<std::unique_ptr<Job>> dead;
    {
      std::lock_guard<std::mutex> l(done_m_);
      dead.swap(done_);
    }
    for (auto& j : dead) {
      release(*j);
      CUCHK(cudaFreeHost(j->h_x));
      CUCHK(cudaFreeHost(j->h_h));
    }
  }

  cudaStream_t stream_{};
  std::mutex m_, done_m_;
  std::condition_variable cv_;
  std::queue<std::unique_ptr<Request>> inbox_;
  std::vector<std::unique_ptr<Job>> done_;
  bool quit_ = false;
  std::thread thread_;
};

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 100;
  std::vector<std::future<float>> f;
  Engine e;
  for (int i = 0; i < n; ++i) f.push_back(e.infer(0.01f * i, 16 + i % 32));
  double s = 0;
  for (auto& x : f) s += x.get();
  std::printf("%d requests, sum %.6f\n", n, s);
  return 0;
}
