#include "swarm.cuh"

#include <atomic>
#include <thread>

namespace {

constexpr unsigned long long kPlanNanos = 20ull * 1000 * 1000;

__global__ void planPaths(int* setpoints, int n, int tick) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < kPlanNanos);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) setpoints[i] = tick * 3 + i % 5;
}

__global__ void control(TickPage* page, const volatile int* setpoints, int* positions, int n) {
    __shared__ int command;
    unsigned tick = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            while (page->tick == tick) __nanosleep(500);
            __threadfence_system();
            ++tick;
            command = page->command;
        }
        __syncthreads();
        if (command == kHalt) return;
        __threadfence_system();
        for (int i = threadIdx.x; i < n; i += blockDim.x) positions[i] += setpoints[i];
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) page->done = tick;
    }
}

}  // namespace

Planner::Planner() {
    SW_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    SW_CHECK(cudaMalloc(&setpoints_, kRobots * sizeof(int)));
}

Planner::~Planner() {
    cudaFree(setpoints_);
    cudaStreamDestroy(stream_);
}

void Planner::plan(int tick) {
    planPaths<<<(kRobots + 255) / 256, 256, 0, stream_>>>(setpoints_, kRobots, tick);
    SW_CHECK(cudaGetLastError());
    SW_CHECK(cudaStreamSynchronize(stream_));
}

Controller::Controller() {
    SW_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    SW_CHECK(cudaMalloc(&positions_, kRobots * sizeof(int)));
    SW_CHECK(cudaMemset(positions_, 0, kRobots * sizeof(int)));
    SW_CHECK(cudaDeviceSynchronize());
    SW_CHECK(cudaHostAlloc(reinterpret_cast<void**>(&page_), sizeof(TickPage), cudaHostAllocMapped));
    page_->command = kIdle;
    page_->tick = 0;
    page_->done = 0;
    SW_CHECK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&devicePage_), page_, 0));
}

Controller::~Controller() {
    if (state_ == State::kRunning) halt();
    cudaFreeHost(page_);
    cudaFree(positions_);
    cudaStreamDestroy(stream_);
}

void Controller::start(const int* setpoints) {
    control<<<1, 256, 0, stream_>>>(devicePage_, setpoints, positions_, kRobots);
    SW_CHECK(cudaGetLastError());
    state_ = State::kRunning;
}

void Controller::ring(Command command) {
    page_->command = command;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    page_->tick = ++tick_;
}

void Controller::advance() {
    ring(kAdvance);
    while (page_->done != tick_) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void Controller::halt() {
    ring(kHalt);
    SW_CHECK(cudaStreamSynchronize(stream_));
    state_ = State::kStopped;
}
