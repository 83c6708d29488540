#include "engine.h"
#include "device_buffer.h"
#include <atomic>
#include <thread>

__global__ void serve(Mailbox* box) {
    __shared__ int s_op, s_price, s_depth;
    __shared__ long long s_qty;
    __shared__ long long* s_levels;
    __shared__ unsigned long long s_total;
    uint32_t seen = 0;
    long long* levels = nullptr;
    int depth = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            while (box->posted == seen) __nanosleep(200);
            __threadfence_system();
            s_op = box->op;
            s_price = box->price;
            s_qty = box->qty;
            s_levels = box->levels;
            s_depth = box->depth;
            s_total = 0;
        }
        __syncthreads();
        const int op = s_op;
        ++seen;
        if (op == int(Op::Attach)) {
            levels = s_levels;
            depth = s_depth;
        } else if (op == int(Op::Add)) {
            if (threadIdx.x == 0) levels[s_price] += s_qty;
        } else if (op == int(Op::Notional)) {
            long long part = 0;
            for (int i = threadIdx.x; i < depth; i += blockDim.x) part += levels[i] * i;
            atomicAdd(&s_total, (unsigned long long)part);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            box->answer = (long long)s_total;
            __threadfence_system();
            box->served = seen;
        }
        if (op == int(Op::Halt)) return;
    }
}

Engine::Engine() {
    check(cudaHostAlloc(&box_, sizeof(Mailbox), cudaHostAllocMapped));
    *const_cast<uint32_t*>(&box_->posted) = 0;
    *const_cast<uint32_t*>(&box_->served) = 0;
    check(cudaHostGetDevicePointer(&boxOnDevice_, box_, 0));
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Engine::~Engine() {
    halt();
    check(cudaStreamDestroy(stream_));
    check(cudaFreeHost(box_));
}

void Engine::start() {
    serve<<<1, 128, 0, stream_>>>(boxOnDevice_);
    check(cudaGetLastError());
    running_ = true;
}

void Engine::post(Op op) {
    box_->op = int(op);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const uint32_t ticket = box_->posted + 1;
    box_->posted = ticket;
    while (box_->served != ticket) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void Engine::attach(long long* levels, int depth) {
    box_->levels = levels;
    box_->depth = depth;
    post(Op::Attach);
}

void Engine::add(int price, long long qty) {
    box_->price = price;
    box_->qty = qty;
    post(Op::Add);
}

long long Engine::notional() {
    post(Op::Notional);
    return box_->answer;
}

void Engine::halt() {
    if (!running_) return;
    post(Op::Halt);
    check(cudaStreamSynchronize(stream_));
    running_ = false;
}
