#include "matcher.h"

#include <atomic>
#include <cstring>
#include <thread>

namespace gw {

namespace {

__device__ Order load_order(const Order* slot) {
    static_assert(sizeof(Order) == 24, "three words");
    const volatile unsigned long long* words = reinterpret_cast<const volatile unsigned long long*>(slot);
    unsigned long long raw[3] = {words[0], words[1], words[2]};
    Order order;
    order.session = static_cast<std::uint32_t>(raw[0]);
    order.seq = static_cast<std::uint32_t>(raw[0] >> 32);
    order.price = static_cast<std::int32_t>(raw[1]);
    order.qty = static_cast<std::int32_t>(raw[1] >> 32);
    order.journal = reinterpret_cast<Fill*>(raw[2]);
    return order;
}

__global__ void match_orders(Mailbox* box, std::int32_t* reference) {
    volatile std::uint32_t* head = &box->head;
    volatile std::uint32_t* tail = &box->tail;
    volatile std::uint32_t* closing = &box->closing;
    std::int32_t ref = *reference;
    std::uint32_t seen = 0;
    for (;;) {
        const std::uint32_t last_call = *closing;
        __threadfence_system();
        const std::uint32_t posted = *head;
        if (seen == posted) {
            if (last_call) break;
            __nanosleep(200);
            continue;
        }
        __threadfence_system();
        const Order order = load_order(&box->slots[seen % kRing]);
        Fill fill;
        fill.qty = order.price >= ref ? order.qty : order.qty / 2;
        fill.reference = ref;
        order.journal[order.seq] = fill;
        ref = (ref * 7 + order.price) / 8;
        *reference = ref;
        ++seen;
        __threadfence_system();
        *tail = seen;
    }
}

std::uint32_t peek(const std::uint32_t& word) {
    return *const_cast<const volatile std::uint32_t*>(&word);
}

void poke(std::uint32_t& word, std::uint32_t value) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    *const_cast<volatile std::uint32_t*>(&word) = value;
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace

Matcher::Matcher(const GatewayConfig& config) : reference_(1) {
    GW_CUDA(cudaHostAlloc(reinterpret_cast<void**>(&box_), sizeof(Mailbox), cudaHostAllocMapped));
    std::memset(box_, 0, sizeof(Mailbox));
    GW_CUDA(cudaHostGetDevicePointer(reinterpret_cast<void**>(&box_on_device_), box_, 0));
    GW_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    GW_CUDA(cudaMemcpy(reference_.get(), &config.opening_price, sizeof(std::int32_t), cudaMemcpyHostToDevice));
}

Matcher::~Matcher() {
    close();
    cudaStreamDestroy(stream_);
    cudaFreeHost(box_);
}

void Matcher::open() {
    match_orders<<<1, 1, 0, stream_>>>(box_on_device_, reference_.get());
    GW_CUDA(cudaGetLastError());
    running_ = true;
}

void Matcher::post(const Order& order) {
    const std::uint32_t at = box_->head;
    while (at - peek(box_->tail) >= kRing) std::this_thread::yield();
    box_->slots[at % kRing] = order;
    poke(box_->head, at + 1);
}

void Matcher::settle() const {
    while (peek(box_->tail) != box_->head) std::this_thread::yield();
}

void Matcher::close() {
    if (!running_) return;
    poke(box_->closing, 1);
    GW_CUDA(cudaStreamSynchronize(stream_));
    running_ = false;
}

std::int32_t Matcher::last_reference() const {
    std::int32_t value = 0;
    GW_CUDA(cudaMemcpy(&value, reference_.get(), sizeof(value), cudaMemcpyDeviceToHost));
    return value;
}

}  // namespace gw
