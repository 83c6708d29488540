#include "gateway.cuh"

#include <atomic>
#include <cstring>
#include <thread>

namespace gw {

// Resident risk check: one block stays on the device for the whole trading session.
__global__ void gateway_kernel(Mailbox* box, const float* limits) {
    __shared__ uint32_t op;
    __shared__ const float* table;
    uint32_t seen = 0;
    if (threadIdx.x == 0) table = limits;
    for (;;) {
        if (threadIdx.x == 0) {
            while (box->seq == seen) __nanosleep(200);
            ++seen;
            __threadfence_system();
            op = box->op;
            if (op == static_cast<uint32_t>(Op::SwitchTable))
                table = reinterpret_cast<const float*>(box->arg);
        }
        __syncthreads();
        const uint32_t cmd = op;
        if (cmd == static_cast<uint32_t>(Op::Check)) {
            const int a = box->orders[threadIdx.x].account;
            const float q = box->orders[threadIdx.x].notional;
            box->verdicts[threadIdx.x] = q <= table[a] ? 1 : 0;
        }
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) box->ack = seen;
        if (cmd == static_cast<uint32_t>(Op::Stop)) return;
    }
}

Gateway::Gateway(LimitTable limits) : active_(std::move(limits)) {
    ck(cudaHostAlloc(&box_, sizeof(Mailbox), cudaHostAllocMapped));
    std::memset(static_cast<void*>(box_), 0, sizeof(Mailbox));
    ck(cudaHostGetDevicePointer(reinterpret_cast<void**>(&box_dev_), box_, 0));
    ck(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Gateway::~Gateway() {
    stop();
    ck(cudaStreamDestroy(stream_));
    ck(cudaFreeHost(box_));
}

void Gateway::start() {
    gateway_kernel<<<1, kBatch, 0, stream_>>>(box_dev_, active_.data());
    ck(cudaGetLastError());
    running_ = true;
}

void Gateway::stop() {
    if (!running_) return;
    post(Op::Stop);
    ck(cudaStreamSynchronize(stream_));
    running_ = false;
}

void Gateway::post(Op op, uint64_t arg) {
    box_->op = static_cast<uint32_t>(op);
    box_->arg = arg;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    box_->seq = ++seq_;
    while (box_->ack != seq_) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void Gateway::switch_table(LimitTable incoming) {
    post(Op::SwitchTable, reinterpret_cast<uint64_t>(incoming.data()));
    active_ = std::move(incoming);
}

void Gateway::check(const std::array<Order, kBatch>& in, std::array<int, kBatch>& out) {
    for (int i = 0; i < kBatch; ++i) {
        box_->orders[i].account = in[i].account;
        box_->orders[i].notional = in[i].notional;
    }
    post(Op::Check);
    for (int i = 0; i < kBatch; ++i) out[i] = box_->verdicts[i];
}

}  // namespace gw
