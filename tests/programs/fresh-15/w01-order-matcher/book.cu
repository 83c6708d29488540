#include <atomic>
#include <thread>

#include "desk.h"

namespace desk {
namespace {

__global__ void matchSession(Wire* wire, volatile int* positions) {
    unsigned tail = 0;
    for (;;) {
        if (wire->head == tail) {
            if (wire->closing != 0 && wire->head == tail) return;
            __nanosleep(300);
            continue;
        }
        __threadfence_system();
        const volatile Order& slot = wire->ring[tail % kRing];
        const int symbol = slot.symbol;
        const int qty = slot.signedQty;
        positions[symbol] = positions[symbol] + qty;
        __threadfence_system();
        wire->tail = ++tail;
    }
}

}  // namespace

Book::Book() {
    DESK_TRY(cudaHostAlloc(reinterpret_cast<void**>(&wire_), sizeof(Wire), cudaHostAllocMapped));
    wire_->head = wire_->tail = 0;
    wire_->closing = 0;
    DESK_TRY(cudaHostGetDevicePointer(reinterpret_cast<void**>(&wireDev_), wire_, 0));
    DESK_TRY(cudaMalloc(&positions_, kSymbols * sizeof(int)));
    DESK_TRY(cudaStreamCreateWithFlags(&lane_, cudaStreamNonBlocking));
    DESK_TRY(cudaMemsetAsync(positions_, 0, kSymbols * sizeof(int), lane_));
    DESK_TRY(cudaStreamSynchronize(lane_));
}

Book::~Book() {
    cudaStreamDestroy(lane_);
    cudaFree(positions_);
    cudaFreeHost(wire_);
}

void Book::openSession() {
    matchSession<<<1, 1, 0, lane_>>>(wireDev_, positions_);
    DESK_TRY(cudaGetLastError());
}

void Book::submit(const Order& o) {
    while (wire_->head - wire_->tail >= kRing) std::this_thread::yield();
    volatile Order& slot = wire_->ring[wire_->head % kRing];
    slot.symbol = o.symbol;
    slot.signedQty = o.signedQty;
    slot.limit = o.limit;
    slot.account = o.account;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    wire_->head = wire_->head + 1;
}

void Book::awaitIdle() const {
    while (wire_->tail != wire_->head) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void Book::closeSession() {
    wire_->closing = 1;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    DESK_TRY(cudaStreamSynchronize(lane_));
}

}  // namespace desk
