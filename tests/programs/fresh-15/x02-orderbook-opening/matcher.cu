#include "matcher.h"

#include <atomic>
#include <thread>

#include "check.h"

namespace desk {

namespace {

__global__ void matchLoop(Mailbox* box, int* depth, int levels) {
    unsigned next = 0;
    for (;;) {
        const unsigned head = box->head;
        __threadfence_system();
        while (next != head) {
            const unsigned s = next % kSlots;
            const int side = box->slots[s][0];
            const int price = box->slots[s][1];
            const int qty = box->slots[s][2];
            depth[price % levels] += side * qty;
            ++next;
        }
        __threadfence_system();
        box->tail = next;
        if (box->closing && next == box->head) return;
        __nanosleep(400);
    }
}

}  // namespace

Matcher::Matcher(int levels) : levels_(levels) {
    check(cudaMalloc(&depth_, levels * sizeof(int)));
    check(cudaMemset(depth_, 0, levels * sizeof(int)));
    void* raw = nullptr;
    check(cudaHostAlloc(&raw, sizeof(Mailbox), cudaHostAllocMapped));
    box_ = static_cast<Mailbox*>(raw);
    box_->head = 0;
    box_->tail = 0;
    box_->closing = 0;
    check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&boxOnDevice_), raw, 0));
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaDeviceSynchronize());
}

Matcher::~Matcher() {
    cudaStreamDestroy(stream_);
    cudaFreeHost(box_);
    cudaFree(depth_);
}

void Matcher::open() {
    matchLoop<<<1, 1, 0, stream_>>>(boxOnDevice_, depth_, levels_);
    check(cudaGetLastError());
}

void Matcher::submit(const Order& order) {
    while (box_->head - box_->tail >= kSlots) std::this_thread::yield();
    volatile int* slot = box_->slots[box_->head % kSlots];
    slot[0] = order.side;
    slot[1] = order.price;
    slot[2] = order.qty;
    slot[3] = order.account;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    box_->head = box_->head + 1;
}

void Matcher::settle() {
    while (box_->tail != box_->head) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void Matcher::close() {
    box_->closing = 1;
    check(cudaStreamSynchronize(stream_));
}

}  // namespace desk
