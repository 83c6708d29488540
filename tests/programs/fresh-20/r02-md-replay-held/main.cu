// Langevin dynamics of independent oscillators, one graph replay per time step.
#include <cmath>
#include <cstdio>
#include <future>
#include <vector>

#include "integrator.cuh"
#include "md_types.h"
#include "replay_ring.h"

namespace md {
/// Time step schedule: the thermostat loosens as the system settles.
StepParams schedule(const DriverConfig& config, int step) {
  StepParams p{};
  p.dt = config.base_dt * (1.0f + 0.5f * static_cast<float>(step % 5));
  p.friction = 0.8f / (1.0f + static_cast<float>(step));
  p.drift = (step % 3 == 0) ? 2.0f : -0.25f * static_cast<float>(step);
  p.step = step;
  return p;
}

std::vector<float> initial_positions(int n) {
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = 0.25f + 0.001f * static_cast<float>(i % 1000);
  return x;
}

std::vector<float> reference(const SystemConfig& sys, const DriverConfig& drv) {
  std::vector<float> x = initial_positions(sys.particles), v(sys.particles, 0.0f);
  for (int s = 0; s < drv.steps; ++s) {
    const StepParams p = schedule(drv, s);
    for (int i = 0; i < sys.particles; ++i) {
      const float f = -sys.stiffness * x[i];
      v[i] += p.dt * (f - p.friction * v[i] + p.drift);
      x[i] += p.dt * v[i];
    }
  }
  return x;
}

class Engine {
 public:
  Engine(const SystemConfig& sys, const DriverConfig& drv)
      : config_(drv), ring_(drv.slots), integrator_(new LangevinIntegrator(sys)) {
    MD_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    view_.n = sys.particles;
    const size_t bytes = sizeof(float) * sys.particles;
    for (float** array : {&view_.x, &view_.v, &view_.f}) MD_CUDA(cudaMalloc(array, bytes));
    const std::vector<float> x = initial_positions(sys.particles);
    MD_CUDA(cudaMemcpyAsync(view_.x, x.data(), bytes, cudaMemcpyHostToDevice, stream_));
    MD_CUDA(cudaMemsetAsync(view_.v, 0, bytes, stream_));
    MD_CUDA(cudaMemsetAsync(view_.f, 0, bytes, stream_));
    MD_CUDA(cudaStreamSynchronize(stream_));
    for (ReplaySlot& slot : ring_.slots()) slot.exec = instantiate(slot);
  }
  ~Engine() {
    cudaStreamSynchronize(stream_);
    for (float* array : {view_.x, view_.v, view_.f}) cudaFree(array);
    cudaStreamDestroy(stream_);
  }
  void run() {
    for (int s = 0; s < config_.steps; ++s) advance(schedule(config_, s));
  }
  std::vector<float> positions() {
    std::vector<float> out(view_.n);
    MD_CUDA(cudaMemcpyAsync(out.data(), view_.x, sizeof(float) * view_.n,
                            cudaMemcpyDeviceToHost, stream_));
    MD_CUDA(cudaStreamSynchronize(stream_));
    return out;
  }
 private:
  cudaGraphExec_t instantiate(const ReplaySlot& slot) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    MD_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    integrator_->enqueue(view_, slot.host, slot.device, stream_);
    MD_CUDA(cudaStreamEndCapture(stream_, &graph));
    MD_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    MD_CUDA(cudaGraphDestroy(graph));
    return exec;
  }
  Ticket stage(const StepParams& params) {
    Ticket ticket = ring_.acquire(stream_);
    ticket.params() = params;
    return ticket;
  }
  void advance(const StepParams& params) {
    const Ticket ticket = stage(params);
    MD_CUDA(cudaGraphLaunch(ticket.slot()->exec, stream_));
  }
  DriverConfig config_;
  ReplayRing ring_;
  std::unique_ptr<Integrator> integrator_;
  cudaStream_t stream_ = nullptr;
  ParticleView view_{};
};

int compare(const std::vector<float>& got, const std::vector<float>& want) {
  int wrong = 0;
  for (size_t i = 0; i < got.size(); ++i)
    if (!(std::fabs(got[i] - want[i]) <= 1e-4f * (1.0f + std::fabs(want[i])))) ++wrong;
  return wrong;
}
}  // namespace md

int main() {
  md::SystemConfig sys;
  md::DriverConfig drv;
  try {
    auto expected = std::async(std::launch::async, [&] { return md::reference(sys, drv); });
    md::Engine engine(sys, drv);
    engine.run();
    const int wrong = md::compare(engine.positions(), expected.get());
    std::printf(wrong ? "WRONG %d\n" : "DONE\n", wrong);
  } catch (const md::DeviceError& e) {
    std::fprintf(stderr, "%s\n", e.what());
    std::printf("ERROR %s\n", cudaGetErrorName(e.code()));
  }
  return 0;
}
