#include "matcher.cuh"
#include <atomic>
#include <cstring>
#include <thread>

namespace exch {

__global__ void matchOrders(Mailbox* box, int* positions, int symbols) {
    std::uint32_t seen = 0;
    while (box->closed == 0) {
        const std::uint32_t r = box->request;
        if (r == seen) {
            __nanosleep(200);
            continue;
        }
        __threadfence_system();
        const int s = box->symbol;
        if (s >= 0 && s < symbols) {
            positions[s] += box->quantity;
            box->position = positions[s];
        }
        __threadfence_system();
        box->reply = r;
        seen = r;
    }
}

Matcher::Matcher() {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    require(cudaHostAlloc(reinterpret_cast<void**>(&box_), sizeof(Mailbox), cudaHostAllocMapped));
    std::memset(const_cast<void*>(static_cast<volatile void*>(box_)), 0, sizeof(Mailbox));
    require(cudaHostGetDevicePointer(reinterpret_cast<void**>(&boxDev_), box_, 0));
}

Matcher::~Matcher() {
    close();
    cudaFreeHost(box_);
    cudaStreamDestroy(stream_);
}

void Matcher::open(int* positions, int symbols) {
    matchOrders<<<1, 1, 0, stream_>>>(boxDev_, positions, symbols);
    require(cudaGetLastError());
    running_ = true;
}

int Matcher::submit(const Order& o) {
    box_->symbol = o.symbol;
    box_->quantity = o.quantity;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const std::uint32_t ticket = box_->request + 1;
    box_->request = ticket;
    while (box_->reply != ticket) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return box_->position;
}

void Matcher::close() {
    if (!running_) return;
    box_->closed = 1;
    require(cudaStreamSynchronize(stream_));
    running_ = false;
}

}  // namespace exch
