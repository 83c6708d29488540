// MLP training step captured once and replayed; gradients are reduced in buckets on a side stream.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(c)                                                                        \
  do {                                                                                  \
    cudaError_t rc_ = (c);                                                               \
    if (rc_ != cudaSuccess) {                                                             \
      printf("CUDA failure %s at line %d: %s\n", #c, __LINE__, cudaGetErrorString(rc_));  \
      exit(EXIT_FAILURE);                                                               \
    }                                                                                   \
  } while (0)

__global__ void forward(const float* w, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = w[i] * x[i] + 0.1f * x[(i + 1) % n];
    y[i] = v > 0.f ? v : 0.01f * v;
  }
}
__global__ void loss_grad(const float* y, float* dy, int n, float target) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dy[i] = 2.f * (y[i] - target) / n;
}
__global__ void backward(const float* w, const float* x, const float* dy, float* dx, float* dw, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    dw[i] = dy[i] * x[i];
    dx[i] = dy[i] * w[i];
  }
}
__global__ void reduce_bucket(float* g, int n, float scale) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) g[i] *= scale;
}
__global__ void sgd(float* w, const float* g, int n, float lr) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] -= lr * g[i];
}
__global__ void fill(float* p, int n, float v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = v + 0.001f * (i % 17);
}

struct Options {
  int layers = 7;
  int width = 4096;
  int bucket_layers = 3;
  int steps = 200;
  float lr = 0.05f;
};

class GradReducer {
 public:
  GradReducer(float* grads, const Options& o) : grads_(grads), o_(o) {
    CHECK(cudaStreamCreateWithFlags(&comm_, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&drained_, cudaEventDisableTiming));
  }
  ~GradReducer() {
    cudaEventDestroy(ready_);
    cudaEventDestroy(drained_);
    cudaStreamDestroy(comm_);
  }
  void add(int layer, cudaStream_t s) {
    low_ = layer;
    if (++pending_ == o_.bucket_layers) flush(s);
  }
  void finish(cudaStream_t s) {
    join(s);
    if (pending_ > 0) flush(s);
  }

 private:
  void flush(cudaStream_t s) {
    CHECK(cudaEventRecord(ready_, s));
    CHECK(cudaStreamWaitEvent(comm_, ready_, 0));
    int n = pending_ * o_.width;
    reduce_bucket<<<32, 256, 0, comm_>>>(grads_ + size_t(low_) * o_.width, n, 1.0f);
    CHECK(cudaGetLastError());
    pending_ = 0;
  }
  void join(cudaStream_t s) {
    CHECK(cudaEventRecord(drained_, comm_));
    CHECK(cudaStreamWaitEvent(s, drained_, 0));
  }
  float* grads_;
  Options o_;
  cudaStream_t comm_;
  cudaEvent_t ready_, drained_;
  int pending_ = 0, low_ = 0;
};

class Trainer {
 public:
  explicit Trainer(Options o) : o_(o), total_(size_t(o.layers) * o.width), grid_((o.width + 255) / 256) {
    CHECK(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking));
    CHECK(cudaMalloc(&w_, total_ * sizeof(float)));
    CHECK(cudaMalloc(&g_, total_ * sizeof(float)));
    CHECK(cudaMalloc(&act_, (total_ + o.width) * sizeof(float)));
    CHECK(cudaMalloc(&delta_, (total_ + o.width) * sizeof(float)));
    fill<<<(total_ + 255) / 256, 256, 0, main_>>>(w_, int(total_), 0.9f);
    fill<<<grid_, 256, 0, main_>>>(act_, o.width, 0.5f);
    CHECK(cudaStreamSynchronize(main_));
    reducer_ = new GradReducer(g_, o_);
  }
  ~Trainer() {
    cudaStreamSynchronize(main_);
    if (exec_) cudaGraphExecDestroy(exec_);
    delete reducer_;
    cudaFree(w_);
    cudaFree(g_);
    cudaFree(act_);
    cudaFree(delta_);
    cudaStreamDestroy(main_);
  }
  void step() {
    if (!exec_) {
      cudaGraph_t g;
      CHECK(cudaStreamBeginCapture(main_, cudaStreamCaptureModeThreadLocal));
      enqueue();
      CHECK(cudaStreamEndCapture(main_, &g));
      CHECK(cudaGraphInstantiateWithFlags(&exec_, g, 0));
      CHECK(cudaGraphDestroy(g));
    }
    CHECK(cudaGraphLaunch(exec_, main_));
  }
  float weight0() {
    float v;
    CHECK(cudaStreamSynchronize(main_));
    CHECK(cudaMemcpy(&v, w_, sizeof v, cudaMemcpyDeviceToHost));
    return v;
  }

 private:
  void enqueue() {
    const int n = o_.width, L = o_.layers;
    for (int l = 0; l < L; ++l) forward<<<grid_, 256, 0, main_>>>(w_ + l * n, act_ + l * n, act_ + (l + 1) * n, n);
    loss_grad<<<grid_, 256, 0, main_>>>(act_ + L * n, delta_ + L * n, n, 1.0f);
    for (int l = L - 1; l >= 0; --l) {
      backward<<<grid_, 256, 0, main_>>>(w_ + l * n, act_ + l * n, delta_ + (l + 1) * n, delta_ + l * n, g_ + l * n, n);
      reducer_->add(l, main_);
    }
    reducer_->finish(main_);
    sgd<<<(total_ + 255) / 256, 256, 0, main_>>>(w_, g_, int(total_), o_.lr);
  }
  Options o_;
  size_t total_;
  int grid_;
  cudaStream_t main_;
  float *w_, *g_, *act_, *delta_;
  GradReducer* reducer_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

int main(int argc, char** argv) {
  Options o;
  if (argc > 1) o.steps = atoi(argv[1]);
  Trainer t(o);
  for (int i = 0; i < o.steps; ++i) t.step();
  printf("w[0] after %d steps: %f\n", o.steps, t.weight0());
  return 0;
}
