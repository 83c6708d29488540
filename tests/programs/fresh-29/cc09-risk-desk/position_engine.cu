#include "position_engine.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace desk {

namespace {

__global__ void clear_positions(Position *p)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kInstruments) p[i] = Position{0, 0};
}

__global__ void session_kernel(Mailbox *box, Position *positions)
{
    volatile Mailbox *v = box;
    __shared__ unsigned seen;
    __shared__ int count;
    __shared__ Fill fills[kBurst];
    if (threadIdx.x == 0) seen = 0;
    __syncthreads();

    for (;;) {
        if (threadIdx.x == 0) {
            count = -1;
            while (v->posted == seen && !v->closing) __nanosleep(500);
            if (v->posted != seen) {
                __threadfence_system();
                seen = v->posted;
                count = v->count;
            }
        }
        __syncthreads();
        if (count < 0) return;
        if (int(threadIdx.x) < count) {
            fills[threadIdx.x].instrument = v->fills[threadIdx.x].instrument;
            fills[threadIdx.x].quantity = v->fills[threadIdx.x].quantity;
            fills[threadIdx.x].price = v->fills[threadIdx.x].price;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int i = 0; i < count; ++i) {
                Position &p = positions[fills[i].instrument];
                p.quantity += fills[i].quantity;
                p.notional += (long long)fills[i].quantity * fills[i].price;
            }
            __threadfence_system();
            v->applied = seen;
        }
        __syncthreads();
    }
}

} // namespace

PositionEngine::PositionEngine() : session_(cudaStreamDefault, highest_priority())
{
    ok(cudaHostAlloc(reinterpret_cast<void **>(&box_), sizeof(Mailbox), cudaHostAllocMapped));
    ok(cudaMalloc(reinterpret_cast<void **>(&d_positions_), kInstruments * sizeof(Position)));
    std::memset(box_, 0, sizeof(Mailbox));
    clear_positions<<<kInstruments / 128, 128, 0, session_.get()>>>(d_positions_);
    ok(cudaGetLastError());
    session_.synchronize();
}

PositionEngine::~PositionEngine()
{
    if (open_) close();
    cudaFree(d_positions_);
    cudaFreeHost(box_);
}

void PositionEngine::open()
{
    Mailbox *d_box = nullptr;
    ok(cudaHostGetDevicePointer(reinterpret_cast<void **>(&d_box), box_, 0));
    session_kernel<<<1, kBurst, 0, session_.get()>>>(d_box, d_positions_);
    ok(cudaGetLastError());
    open_ = true;
}

void PositionEngine::apply(const std::vector<Fill> &fills)
{
    for (std::size_t at = 0; at < fills.size(); at += kBurst) {
        const std::size_t n = std::min<std::size_t>(kBurst, fills.size() - at);
        std::copy_n(fills.begin() + at, n, box_->fills);
        box_->count = static_cast<int>(n);
        __atomic_store_n(&box_->posted, ++posted_, __ATOMIC_RELEASE);
        while (__atomic_load_n(&box_->applied, __ATOMIC_ACQUIRE) != posted_) std::this_thread::yield();
    }
}

void PositionEngine::close()
{
    __atomic_store_n(&box_->closing, 1u, __ATOMIC_RELEASE);
    session_.synchronize();
    open_ = false;
}

} // namespace desk
