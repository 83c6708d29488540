#include <cstdio>
#include <cstdlib>

#include "stages.h"

namespace tracker {

void give_up(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

namespace {

constexpr int kThreads = 128;

__device__ void linger(long long ns) {
    long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ void draw_map_kernel(uint32_t* map, int scan) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    linger(4000000);
    if (i < kMap) map[i] = map_cell(scan, i);
}

__global__ void adopt_kernel(uint32_t* map, const uint32_t* drawn) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < kMap) map[i] = drawn[i];
}

__global__ void start_kernel(uint32_t* place) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < kParticles) place[i] = static_cast<uint32_t>(i) * 7u;
}

__global__ void move_kernel(uint32_t* place, int first, int scan, long long ns) {
    const int i = first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    linger(ns);
    place[i] = moved(place[i], scan, i);
}

__global__ void weigh_kernel(const uint32_t* place, const uint32_t* map, uint32_t* weight, int first) {
    const int i = first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    weight[i] += map[place[i] % kMap];
}

__global__ void total_kernel(const uint32_t* place, const uint32_t* weight, Estimate* e) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= kParticles) return;
    atomicAdd(&e->total, static_cast<unsigned long long>(weight[i]));
    atomicAdd(&e->place_sum, static_cast<unsigned long long>(place[i]));
}

__global__ void resample_kernel(const uint32_t* from, uint32_t* to, const Estimate* e) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < kParticles) to[i] = from[heir(i, e->total)];
}

class MotionStage : public Stage {
public:
    MotionStage() {
        for (cudaStream_t& s : lanes_) need(cudaStreamCreate(&s));
    }
    ~MotionStage() override {
        for (cudaStream_t s : lanes_) cudaStreamDestroy(s);
    }
    void run(State& state, int scan) override {
        for (int l = 0; l < kLanes; ++l) {
            const int first = l * kPerLane;
            move_kernel<<<kPerLane / kThreads, kThreads, 0, lanes_[l]>>>(state.place, first, scan,
                                                                         1000000LL * (1 + l));
            weigh_kernel<<<kPerLane / kThreads, kThreads, 0, lanes_[l]>>>(state.place, state.map, state.weight, first);
            need(cudaGetLastError());
        }
    }

private:
    cudaStream_t lanes_[kLanes] = {};
};

class ResampleStage : public Stage {
public:
    void run(State& state, int scan) override {
        total_kernel<<<kParticles / kThreads, kThreads>>>(state.place, state.weight, state.estimates + scan);
        need(cudaMemcpyAsync(state.scratch, state.place, kParticles * sizeof(uint32_t), cudaMemcpyDeviceToDevice));
        resample_kernel<<<kParticles / kThreads, kThreads>>>(state.scratch, state.place, state.estimates + scan);
        need(cudaMemsetAsync(state.weight, 0, kParticles * sizeof(uint32_t)));
        need(cudaGetLastError());
    }
};

// Copies estimates out beside the main work.
class StreamRecorder : public Recorder {
public:
    StreamRecorder() {
        need(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        need(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
        need(cudaMallocHost(reinterpret_cast<void**>(&host_), kScans * sizeof(Estimate)));
    }
    ~StreamRecorder() override {
        cudaStreamSynchronize(stream_);
        cudaFreeHost(host_);
        cudaEventDestroy(ready_);
        cudaStreamDestroy(stream_);
    }
    void run(State& state, int scan) override {
        need(cudaEventRecord(ready_, cudaStreamLegacy));
        need(cudaStreamWaitEvent(stream_, ready_, 0));
        need(cudaMemcpyAsync(host_ + scan, state.estimates + scan, sizeof(Estimate), cudaMemcpyDeviceToHost, stream_));
    }
    const Estimate* estimates() override {
        need(cudaStreamSynchronize(stream_));
        return host_;
    }

private:
    cudaStream_t stream_ = nullptr;
    cudaEvent_t ready_ = nullptr;
    Estimate* host_ = nullptr;
};

}  // namespace

State::State() {
    need(cudaMalloc(reinterpret_cast<void**>(&place), kParticles * sizeof(uint32_t)));
    need(cudaMalloc(reinterpret_cast<void**>(&scratch), kParticles * sizeof(uint32_t)));
    need(cudaMalloc(reinterpret_cast<void**>(&weight), kParticles * sizeof(uint32_t)));
    need(cudaMalloc(reinterpret_cast<void**>(&map), kMap * sizeof(uint32_t)));
    need(cudaMalloc(reinterpret_cast<void**>(&estimates), kScans * sizeof(Estimate)));
    need(cudaMemsetAsync(weight, 0, kParticles * sizeof(uint32_t)));
    need(cudaMemsetAsync(estimates, 0, kScans * sizeof(Estimate)));
    start_kernel<<<kParticles / kThreads, kThreads>>>(place);
    need(cudaGetLastError());
}

State::~State() {
    cudaFree(place);
    cudaFree(scratch);
    cudaFree(weight);
    cudaFree(map);
    cudaFree(estimates);
}

std::unique_ptr<Stage> make_motion_stage() { return std::make_unique<MotionStage>(); }
std::unique_ptr<Stage> make_resample_stage() { return std::make_unique<ResampleStage>(); }
std::unique_ptr<Recorder> make_recorder() { return std::make_unique<StreamRecorder>(); }

void draw_map(uint32_t* target, int scan) {
    draw_map_kernel<<<kMap / kThreads, kThreads, 0, cudaStreamPerThread>>>(target, scan);
    need(cudaGetLastError());
}

void adopt_map(State& state, const uint32_t* drawn) {
    adopt_kernel<<<kMap / kThreads, kThreads>>>(state.map, drawn);
    need(cudaGetLastError());
}

}  // namespace tracker
