#include "integrator.hpp"

#include <vector>

namespace lgv {
namespace {

__global__ void kick(double* v, const double* x, const double* noise, int n, Model m) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = v[i] - m.dt * (m.gamma * v[i] + x[i]) + m.kick * noise[i];
}

__global__ void drift(double* x, const double* v, int n, Model m) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] + m.dt * v[i];
}

}  // namespace

Integrator::Integrator(const Model& m) : model_(m) {
    const std::size_t bytes = m.walkers * sizeof(double);
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ok(vrandCreate(&rng_, m.seed));
    for (double** p : {&st_.x, &st_.v, &st_.noise}) {
        ok(cudaMalloc(reinterpret_cast<void**>(p), bytes));
        ok(cudaMemset(*p, 0, bytes));
    }
    ok(cudaDeviceSynchronize());
}

Integrator::~Integrator() {
    if (step_) cudaGraphExecDestroy(step_);
    vrandDestroy(rng_);
    for (double* p : {st_.x, st_.v, st_.noise}) cudaFree(p);
    cudaStreamDestroy(stream_);
}

void Integrator::enqueue_step() {
    const int n = model_.walkers, blocks = (n + 127) / 128;
    ok(vrandUniform(rng_, st_.noise, n));
    kick<<<blocks, 128, 0, stream_>>>(st_.v, st_.x, st_.noise, n, model_);
    drift<<<blocks, 128, 0, stream_>>>(st_.x, st_.v, n, model_);
    ok(cudaGetLastError());
}

void Integrator::prepare() {
    cudaGraph_t graph = nullptr;
    ok(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    enqueue_step();
    ok(cudaStreamEndCapture(stream_, &graph));
    ok(cudaGraphInstantiate(&step_, graph, 0));
    ok(cudaGraphDestroy(graph));
}

void Integrator::advance(int steps) {
    for (int s = 0; s < steps; ++s) ok(cudaGraphLaunch(step_, stream_));
    ok(cudaStreamSynchronize(stream_));
}

void Integrator::positions(double* out) const {
    ok(cudaMemcpy(out, st_.x, model_.walkers * sizeof(double), cudaMemcpyDeviceToHost));
}

}  // namespace lgv
