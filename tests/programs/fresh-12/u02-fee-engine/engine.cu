#include "engine.h"

#include <atomic>
#include <cstring>
#include <thread>
#include <utility>

namespace {

__global__ void pricingLoop(Mailbox* box)
{
    __shared__ unsigned head;
    __shared__ unsigned stop;
    unsigned tail = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            stop = box->stop;
            __threadfence_system();
            head = box->head;
            __threadfence_system();
        }
        __syncthreads();
        const unsigned upTo = head;
        const bool quit = stop != 0;
        for (unsigned i = tail + threadIdx.x; i < upTo; i += blockDim.x) {
            const volatile Order& o = box->orders[i % kRing];
            const int bps = __ldcg(box->rates + size_t(o.symbol) * FeeTable::kTiers + o.tier);
            box->fees[i % kRing] = (long long)o.quantity * o.price * bps;
            __threadfence_system();
        }
        __syncthreads();
        if (threadIdx.x == 0 && upTo != tail) box->tail = upTo;
        tail = upTo;
        if (quit) break;
        __nanosleep(500);
    }
}

}  // namespace

Engine::Engine(std::unique_ptr<FeeTable> first) : current_(std::move(first))
{
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    void* p = nullptr;
    check(cudaHostAlloc(&p, sizeof(Mailbox), cudaHostAllocMapped));
    std::memset(p, 0, sizeof(Mailbox));
    box_ = static_cast<Mailbox*>(p);
    check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&deviceBox_), p, 0));
}

Engine::~Engine()
{
    stop();
    check(cudaFreeHost(box_));
    check(cudaStreamDestroy(stream_));
}

void Engine::start()
{
    box_->rates = current_->device();
    pricingLoop<<<1, 128, 0, stream_>>>(deviceBox_);
    check(cudaGetLastError());
    state_ = State::Running;
}

std::vector<long long> Engine::price(const std::vector<Order>& batch)
{
    const unsigned first = box_->head;
    for (size_t k = 0; k < batch.size(); ++k) {
        volatile Order& o = box_->orders[(first + k) % kRing];
        o.symbol = batch[k].symbol;
        o.tier = batch[k].tier;
        o.quantity = batch[k].quantity;
        o.price = batch[k].price;
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
    box_->head = first + unsigned(batch.size());
    while (box_->tail != box_->head) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);

    std::vector<long long> fees(batch.size());
    for (size_t k = 0; k < batch.size(); ++k) fees[k] = box_->fees[(first + k) % kRing];
    return fees;
}

void Engine::adopt(std::unique_ptr<FeeTable> next)
{
    box_->rates = next->device();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    current_ = std::move(next);
}

void Engine::stop()
{
    if (state_ != State::Running) return;
    box_->stop = 1;
    check(cudaStreamSynchronize(stream_));
    state_ = State::Halted;
}
