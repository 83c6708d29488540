#include "forecast.hpp"

namespace forecast {
namespace {

struct StepArgs {
    Physics physics;
    int member;
    int cells;
};

__global__ void integrate(float* state, StepArgs a) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= a.cells) return;
    float v = state[i];
    for (int k = 0; k < a.physics.substeps; ++k) v = v * a.physics.drag + a.physics.heating * float(a.member + 1);
    state[i] = v;
}

__global__ void average(const float* a, const float* b, const float* c, const float* gain, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = *gain * (a[i] + b[i] + c[i]);
}

__global__ void nudge(float* state, const float* observed, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) state[i] += observed[i];
}

void CUDART_CB countStep(void* p) { ++*static_cast<int*>(p); }

int grid(int n) { return (n + 127) / 128; }

}  // namespace

Ensemble::Ensemble(int cells) : cells_(cells) {
    FC(cudaStreamCreateWithFlags(&lead_, cudaStreamNonBlocking));
    FC(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming));
    for (int m = 0; m < kMembers; ++m) {
        FC(cudaStreamCreateWithFlags(&side_[m], cudaStreamNonBlocking));
        FC(cudaEventCreateWithFlags(&joined_[m], cudaEventDisableTiming));
        FC(cudaMalloc(&member_[m], cells * sizeof(float)));
        FC(cudaMemset(member_[m], 0, cells * sizeof(float)));
    }
    FC(cudaMalloc(&mean_, cells * sizeof(float)));
    FC(cudaMalloc(&gain_, sizeof(float)));
    FC(cudaMallocHost(reinterpret_cast<void**>(&gainPinned_), sizeof(float)));
    FC(cudaDeviceSynchronize());

    enqueueStep(Physics{1.f, 0.f, 0}, 1.f);
    FC(cudaStreamSynchronize(lead_));
    counted_ = 0;
}

Ensemble::~Ensemble() {
    FC(cudaStreamSynchronize(lead_));
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaFreeHost(gainPinned_);
    cudaFree(gain_);
    cudaFree(mean_);
    for (int m = 0; m < kMembers; ++m) {
        cudaFree(member_[m]);
        cudaEventDestroy(joined_[m]);
        cudaStreamDestroy(side_[m]);
    }
    cudaEventDestroy(forked_);
    cudaStreamDestroy(lead_);
}

void Ensemble::enqueueStep(const Physics& physics, float gain) {
    *gainPinned_ = gain;
    FC(cudaMemcpyAsync(gain_, gainPinned_, sizeof(float), cudaMemcpyHostToDevice, lead_));
    FC(cudaEventRecord(forked_, lead_));
    for (int m = 0; m < kMembers; ++m) {
        StepArgs args{physics, m, cells_};
        FC(cudaStreamWaitEvent(side_[m], forked_, 0));
        integrate<<<grid(cells_), 128, 0, side_[m]>>>(member_[m], args);
        FC(cudaGetLastError());
        FC(cudaEventRecord(joined_[m], side_[m]));
    }
    for (cudaEvent_t e : joined_) FC(cudaStreamWaitEvent(lead_, e, 0));
    average<<<grid(cells_), 128, 0, lead_>>>(member_[0], member_[1], member_[2], gain_, mean_, cells_);
    FC(cudaGetLastError());
    FC(cudaLaunchHostFunc(lead_, countStep, &counted_));
}

void Ensemble::rebuild(const Physics& physics, float gain) {
    FC(cudaStreamSynchronize(lead_));
    cudaGraph_t graph = nullptr;
    FC(cudaStreamBeginCapture(lead_, cudaStreamCaptureModeThreadLocal));
    enqueueStep(physics, gain);
    FC(cudaStreamEndCapture(lead_, &graph));
    if (exec_) {
        cudaGraphExecUpdateResultInfo info{};
        FC(cudaGraphExecUpdate(exec_, graph, &info));
    } else {
        FC(cudaGraphInstantiate(&exec_, graph, 0));
    }
    FC(cudaGraphDestroy(graph));
}

void Ensemble::advance(int steps) {
    for (int s = 0; s < steps; ++s) FC(cudaGraphLaunch(exec_, lead_));
}

void Ensemble::assimilate(const Observations& obs) {
    for (float* state : member_) nudge<<<grid(cells_), 128, 0, lead_>>>(state, obs.field, cells_);
    FC(cudaGetLastError());
    FC(cudaStreamSynchronize(lead_));
    FC(cudaFree(obs.field));
}

std::vector<float> Ensemble::mean() {
    std::vector<float> out(cells_);
    FC(cudaMemcpyAsync(out.data(), mean_, cells_ * sizeof(float), cudaMemcpyDeviceToHost, lead_));
    FC(cudaStreamSynchronize(lead_));
    return out;
}

}  // namespace forecast
