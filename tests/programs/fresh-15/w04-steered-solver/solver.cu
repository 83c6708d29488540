#include <algorithm>
#include <atomic>
#include <thread>

#include "solver.cuh"

namespace steer {
namespace {

constexpr int kThreads = 128;

__device__ void meet(Rendezvous* r, unsigned blocks) {
    __syncthreads();
    if (threadIdx.x == 0) {
        volatile unsigned* generation = &r->generation;
        const unsigned mine = *generation;
        __threadfence();
        if (atomicAdd(&r->arrived, 1u) == blocks - 1) {
            r->arrived = 0;
            __threadfence();
            *generation = mine + 1;
        } else {
            while (*generation == mine) __nanosleep(100);
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void __launch_bounds__(kThreads)
solve(Wheel* wheel, Rendezvous* r, const double* source, double* field, int n) {
    int seen = 0;
    for (;;) {
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            r->epoch = wheel->epoch;
            r->order = wheel->order;
            __threadfence();
        }
        meet(r, gridDim.x);
        const int epoch = __ldcg(&r->epoch);
        const int order = __ldcg(&r->order);
        meet(r, gridDim.x);
        if (epoch != seen) {
            for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
                field[i] = 0.5 * field[i] + __ldcg(source + i);
            seen = epoch;
            meet(r, gridDim.x);
            if (blockIdx.x == 0 && threadIdx.x == 0) {
                __threadfence_system();
                wheel->acknowledged = epoch;
            }
        } else if (order == kHalt) {
            return;
        }
    }
}

int residentBlocks(int wanted) {
    int device = 0, sms = 0, perSm = 0;
    must(cudaGetDevice(&device));
    must(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, solve, kThreads, 0));
    return std::min(wanted, sms * perSm);
}

}  // namespace

Solver::Solver(int cells)
    : cells_(cells), wheel_(onHost<Wheel>(1)), staged_(onHost<double>(cells)), result_(onHost<double>(cells)),
      source_(onDevice<double>(cells)), field_(onDevice<double>(cells)), meet_(onDevice<Rendezvous>(1)) {
    wheel_[0].order = kRun;
    wheel_[0].epoch = 0;
    wheel_[0].acknowledged = 0;
    must(cudaStreamCreateWithFlags(&work_, cudaStreamNonBlocking));
    must(cudaStreamCreateWithFlags(&feed_, cudaStreamNonBlocking));
    must(cudaDeviceSynchronize());
}

Solver::~Solver() {
    cudaStreamDestroy(feed_);
    cudaStreamDestroy(work_);
}

void Solver::start() {
    Wheel* wheel = nullptr;
    must(cudaHostGetDevicePointer(reinterpret_cast<void**>(&wheel), wheel_.get(), 0));
    Rendezvous* r = meet_.get();
    const double* source = source_.get();
    double* field = field_.get();
    int n = cells_;
    void* args[] = {&wheel, &r, &source, &field, &n};
    const int blocks = residentBlocks((cells_ + kThreads - 1) / kThreads);
    must(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&solve), dim3(blocks), dim3(kThreads), args, 0,
                                     work_));
}

void Solver::load(int epoch, double scale) {
    for (int i = 0; i < cells_; ++i) staged_[i] = scale * (i % 97);
    must(cudaMemcpyAsync(source_.get(), staged_.get(), cells_ * sizeof(double), cudaMemcpyHostToDevice, feed_));
    must(cudaStreamSynchronize(feed_));
    wheel_[0].epoch = epoch;
    while (wheel_[0].acknowledged != epoch) std::this_thread::yield();
}

void Solver::halt() {
    wheel_[0].order = kHalt;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    must(cudaMemcpyAsync(result_.get(), field_.get(), cells_ * sizeof(double), cudaMemcpyDeviceToHost, work_));
    must(cudaStreamSynchronize(work_));
}

}  // namespace steer
