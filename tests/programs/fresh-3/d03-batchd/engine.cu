#include "engine.cuh"

#include <atomic>
#include <thread>

#include "arena.h"

__global__ void lane_loop(Mailbox* boxes) {
    Mailbox& box = boxes[blockIdx.x];
    __shared__ uint32_t op, count;
    __shared__ const float* in;
    __shared__ float* out;
    uint32_t served = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            while (box.seq == served) __nanosleep(200);
            __threadfence_system();
            op = box.op;
            count = box.count;
            in = box.in;
            out = box.out;
        }
        __syncthreads();
        if (op == static_cast<uint32_t>(Op::Quit)) return;
        for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
            float x = __ldcg(in + i);
            out[i] = x > 0.f ? x * 0.75f : x * 0.0625f;
        }
        __threadfence_system();
        __syncthreads();
        ++served;
        if (threadIdx.x == 0) box.ack = served;
    }
}

Engine::Engine(int lanes) : lanes_(lanes) {
    CHECK(cudaHostAlloc(&boxes_, sizeof(Mailbox) * lanes, cudaHostAllocMapped));
    for (int i = 0; i < lanes; ++i) {
        boxes_[i].seq = boxes_[i].ack = boxes_[i].op = boxes_[i].count = 0;
        boxes_[i].in = nullptr;
        boxes_[i].out = nullptr;
    }
    CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Engine::~Engine() {
    stop();
    cudaStreamDestroy(stream_);
    cudaFreeHost(boxes_);
}

void Engine::start() {
    Mailbox* d_boxes = nullptr;
    CHECK(cudaHostGetDevicePointer(&d_boxes, boxes_, 0));
    lane_loop<<<lanes_, 256, 0, stream_>>>(d_boxes);
    CHECK(cudaGetLastError());
    running_ = true;
}

void Engine::stop() {
    if (!running_) return;
    for (int i = 0; i < lanes_; ++i) {
        boxes_[i].op = static_cast<uint32_t>(Op::Quit);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        boxes_[i].seq = boxes_[i].seq + 1;
    }
    CHECK(cudaStreamSynchronize(stream_));
    running_ = false;
}

void Engine::score(int lane, const float* d_in, float* d_out, uint32_t count) {
    Mailbox& b = boxes_[lane];
    b.op = static_cast<uint32_t>(Op::Score);
    b.count = count;
    b.in = d_in;
    b.out = d_out;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const uint32_t ticket = b.seq + 1;
    b.seq = ticket;
    while (b.ack != ticket) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
}
