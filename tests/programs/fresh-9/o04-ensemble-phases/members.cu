#include "ensemble.h"
#include <atomic>

namespace wx {

struct Advection {
    static __host__ __device__ float step(float x, float bias, int cycle) { return x * 0.5f + bias + cycle; }
};
struct Relaxation {
    static __host__ __device__ float step(float x, float bias, int cycle) { return x * 0.25f - bias + 2 * cycle; }
};

template <class Physics>
__global__ void predictKernel(float* state, float* forecast, float bias, int cycle, int n, long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    while ((long long)(t - t0) < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        state[i] = Physics::step(state[i], bias, cycle);
        forecast[i] = state[i];
    }
}

__global__ void correctKernel(float* state, const float* analysis, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        state[i] = 0.5f * (state[i] + analysis[i]);
}

Member::Member(float bias, float* forecast, const float* analysis)
    : bias_(bias), forecast_(forecast), analysis_(analysis) {
    ok(cudaMalloc(&state_, kCells * sizeof(float)));
    ok(cudaMemset(state_, 0, kCells * sizeof(float)));
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Member::~Member() {
    ok(cudaStreamDestroy(stream_));
    ok(cudaFree(state_));
}

template <class Physics>
class PhysicsMember final : public Member {
public:
    using Member::Member;
    void warmUp() override {
        predictKernel<Physics><<<4, 128, 0, stream_>>>(state_, forecast_, 0.f, 0, 0, 0);
        correctKernel<<<4, 128, 0, stream_>>>(state_, analysis_, 0);
        ok(cudaGetLastError());
        ok(cudaStreamSynchronize(stream_));
    }
    void predict(int cycle) override {
        predictKernel<Physics><<<4, 128, 0, stream_>>>(state_, forecast_, bias_, cycle, kCells, 8000000);
        ok(cudaGetLastError());
    }
    void correct(int) override {
        correctKernel<<<4, 128, 0, stream_>>>(state_, analysis_, kCells);
        ok(cudaGetLastError());
    }
    float stepOnHost(float x, int cycle) const override { return Physics::step(x, bias_, cycle); }
};

std::unique_ptr<Member> makeMember(const std::string& kind, float bias, float* forecast, const float* analysis) {
    if (kind == "advection") return std::make_unique<PhysicsMember<Advection>>(bias, forecast, analysis);
    return std::make_unique<PhysicsMember<Relaxation>>(bias, forecast, analysis);
}

PhaseClock::PhaseClock() {
    ok(cudaHostAlloc(&word_, sizeof(unsigned), cudaHostAllocMapped));
    *word_ = 0;
}
PhaseClock::~PhaseClock() { ok(cudaFreeHost(word_)); }

void PhaseClock::holdUntil(cudaStream_t s, unsigned phase) const {
    void* dev = nullptr;
    ok(cudaHostGetDevicePointer(&dev, word_, 0));
    ok(cuStreamWaitValue32(s, reinterpret_cast<CUdeviceptr>(dev), phase, CU_STREAM_WAIT_VALUE_GEQ));
}

void PhaseClock::advance(unsigned phase) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    *static_cast<volatile unsigned*>(word_) = phase;
}

}  // namespace wx
