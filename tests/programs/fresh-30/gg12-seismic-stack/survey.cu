#include "survey.h"

namespace seismic {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = kPoints / kThreads;

__device__ void grind(long long ns) {
    long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ void mute_kernel(const int* staging, int* gather) {
    const int p = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    grind(1500000);
    gather[p] = muted(staging[p], p);
}

__global__ void peak_kernel(const int* gather, int* peak) {
    const int p = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int v = gather[p] < 0 ? -gather[p] : gather[p];
    atomicMax(peak, v);
}

__global__ void stack_kernel(const int* gather, const int* peak, long long* stack) {
    const int p = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    grind(1000000);
    stack[moved_out(p)] += static_cast<long long>(gather[p]) * (1 + *peak % 5);
}

__global__ void reset_kernel(int* peak) { *peak = 0; }

}  // namespace

Processor::Processor() {
    EXPECT(cudaStreamCreateWithFlags(&feed_, cudaStreamNonBlocking));
    EXPECT(cudaEventCreateWithFlags(&arrived_, cudaEventDisableTiming));
    EXPECT(cudaEventCreateWithFlags(&taken_, cudaEventDisableTiming));
    for (int b = 0; b < kBuffers; ++b) {
        EXPECT(cudaEventCreateWithFlags(&read_[b], cudaEventDisableTiming));
        EXPECT(cudaMallocHost(reinterpret_cast<void**>(&raw_[b]), kPoints * sizeof(int)));
    }
    EXPECT(cudaMalloc(reinterpret_cast<void**>(&staging_), kPoints * sizeof(int)));
    EXPECT(cudaMalloc(reinterpret_cast<void**>(&gather_), kPoints * sizeof(int)));
    EXPECT(cudaMalloc(reinterpret_cast<void**>(&peak_), sizeof(int)));
    EXPECT(cudaMalloc(reinterpret_cast<void**>(&stack_), kPoints * sizeof(long long)));
    EXPECT(cudaMemset(stack_, 0, kPoints * sizeof(long long)));
    EXPECT(cudaDeviceSynchronize());
}

Processor::~Processor() {
    cudaStreamSynchronize(tape_.stream());
    cudaStreamSynchronize(feed_);
    for (int b = 0; b < kBuffers; ++b) {
        cudaEventDestroy(read_[b]);
        cudaFreeHost(raw_[b]);
    }
    cudaEventDestroy(arrived_);
    cudaEventDestroy(taken_);
    cudaFree(staging_);
    cudaFree(gather_);
    cudaFree(peak_);
    cudaFree(stack_);
    cudaStreamDestroy(feed_);
}

void Processor::upload(int shot) {
    const int b = shot % kBuffers;
    EXPECT(cudaEventSynchronize(read_[b]));
    for (int p = 0; p < kPoints; ++p) raw_[b][p] = geophone(shot, p);
    EXPECT(cudaStreamWaitEvent(feed_, taken_, 0));
    EXPECT(cudaMemcpyAsync(staging_, raw_[b], kPoints * sizeof(int), cudaMemcpyHostToDevice, feed_));
    EXPECT(cudaEventRecord(read_[b], feed_));
    EXPECT(cudaEventRecord(arrived_, feed_));
}

void Processor::process() {
    const cudaStream_t s = tape_.stream();
    tape_.follow(arrived_);
    mute_kernel<<<kBlocks, kThreads, 0, s>>>(staging_, gather_);
    tape_.mark(taken_);
    reset_kernel<<<1, 1, 0, s>>>(peak_);
    peak_kernel<<<kBlocks, kThreads, 0, s>>>(gather_, peak_);
    tape_.inspect([this] {
        EXPECT(cudaMemcpy(&tuning_.peak, peak_, sizeof(int), cudaMemcpyDeviceToHost));
        ++tuning_.loops;
    });
    stack_kernel<<<kBlocks, kThreads, 0, s>>>(gather_, peak_, stack_);
    EXPECT(cudaGetLastError());
}

void Processor::shoot(int shot) {
    upload(shot);
    switch (tape_.state()) {
        case Tape::State::kLive:
            process();
            tape_.record();
            process();
            tape_.cut();
            break;
        case Tape::State::kCut:
            tape_.play();
            break;
        case Tape::State::kRecording:
            break;
    }
}

std::vector<long long> Processor::stack() {
    std::vector<long long> out(kPoints);
    EXPECT(cudaMemcpyAsync(out.data(), stack_, kPoints * sizeof(long long), cudaMemcpyDeviceToHost, tape_.stream()));
    EXPECT(cudaStreamSynchronize(tape_.stream()));
    return out;
}

}  // namespace seismic
