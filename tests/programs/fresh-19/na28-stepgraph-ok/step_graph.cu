// step_graph.cu - time stepping of a particle set through a prebuilt CUDA graph.
//
// The graph copies a parameter block to the device, then runs the kick and drift
// kernels. advance() starts one step with the parameters given, on the stream given.
// Steps take place in the order of the calls. One host thread at a time; advance()
// is not for use in stream capture.
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace nstep {

struct Params {
  float dt;
  float field[3];
  float damping;
};

class StepGraph {
 public:
  // pos and vel: 3*n floats on the device, owned by the caller, who keeps them until
  // the object has been destroyed.
  StepGraph(float* pos, float* vel, int n);
  ~StepGraph();

  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;

  void advance(const Params& p, cudaStream_t stream);

 private:
  void record();

  float* pos_;
  float* vel_;
  int n_;
  Params* host_ = nullptr;
  Params* dev_ = nullptr;
  cudaEvent_t stepped_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

namespace {

inline void up(cudaError_t e, int line) {
  if (e != cudaSuccess)
    throw std::runtime_error("step_graph.cu:" + std::to_string(line) + ": " +
                             cudaGetErrorString(e));
}
#define UP(x) up((x), __LINE__)

__global__ void kick(float* vel, int n, const Params* p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 3 * n) return;
  vel[i] = (vel[i] + p->dt * p->field[i % 3]) * (1.f - p->damping * p->dt);
}

__global__ void drift(float* pos, const float* vel, int n, const Params* p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 3 * n) pos[i] += p->dt * vel[i];
}

}  // namespace

StepGraph::StepGraph(float* pos, float* vel, int n) : pos_(pos), vel_(vel), n_(n) {
  if (!pos || !vel || n <= 0) throw std::invalid_argument("StepGraph");
  UP(cudaMallocHost(reinterpret_cast<void**>(&host_), sizeof(Params)));
  UP(cudaMalloc(reinterpret_cast<void**>(&dev_), sizeof(Params)));
  UP(cudaEventCreateWithFlags(&stepped_, cudaEventDisableTiming));
  *host_ = Params{};
  record();
}

StepGraph::~StepGraph() {
  cudaEventSynchronize(stepped_);
  if (exec_) cudaGraphExecDestroy(exec_);
  cudaEventDestroy(stepped_);
  cudaFree(dev_);
  cudaFreeHost(host_);
}

void StepGraph::record() {
  cudaStream_t s = nullptr;
  cudaGraph_t graph = nullptr;
  UP(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  UP(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  cudaError_t e = cudaMemcpyAsync(dev_, host_, sizeof(Params), cudaMemcpyHostToDevice, s);
  const int tpb = 256, grid = (3 * n_ + tpb - 1) / tpb;
  if (e == cudaSuccess) {
    kick<<<grid, tpb, 0, s>>>(vel_, n_, dev_);
    drift<<<grid, tpb, 0, s>>>(pos_, vel_, n_, dev_);
    e = cudaGetLastError();
  }
  cudaError_t f = cudaStreamEndCapture(s, &graph);
  cudaStreamDestroy(s);
  UP(e);
  UP(f);
  e = cudaGraphInstantiate(&exec_, graph, 0);
  cudaGraphDestroy(graph);
  UP(e);
}

void StepGraph::advance(const Params& p, cudaStream_t stream) {
  UP(cudaEventSynchronize(stepped_));
  *host_ = p;
  UP(cudaGraphLaunch(exec_, stream));
  UP(cudaEventRecord(stepped_, stream));
}

}  // namespace nstep
