#include "matcher.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

namespace {

__global__ void matcher_main(volatile Doorbell* bell, volatile Ack* ack, const volatile Order* orders,
                             volatile long long* fills) {
    __shared__ int op, first, count;
    __shared__ const int* next;
    const volatile int* table = nullptr;
    int seen = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            while (bell->seq == seen) __nanosleep(500);
            __threadfence_system();
            op = bell->op;
            first = bell->first;
            count = bell->count;
            next = bell->table;
        }
        __syncthreads();
        ++seen;
        const int cmd = op;
        if (cmd == static_cast<int>(Op::UseTable)) {
            table = next;
        } else if (cmd == static_cast<int>(Op::Match)) {
            for (int i = threadIdx.x; i < count; i += blockDim.x) {
                const int k = first + i;
                fills[k] = static_cast<long long>(table[orders[k].level]) * orders[k].qty;
            }
        }
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) ack->seq = seen;
        if (cmd == static_cast<int>(Op::Shutdown)) return;
    }
}

}  // namespace

Matcher::Matcher(MatcherConfig cfg) : cfg_(cfg) {
    cu(cudaStreamCreateWithFlags(&engine_, cudaStreamNonBlocking));
    cu(cudaStreamCreateWithFlags(&feed_, cudaStreamNonBlocking));
    active_ = make_device<int>(cfg_.depth);
    standby_ = make_device<int>(cfg_.depth);
    staging_ = make_mapped<int>(cfg_.depth);
    orders_ = make_mapped<Order>(cfg_.capacity);
    fills_ = make_mapped<long long>(cfg_.capacity);
    bell_ = make_mapped<Doorbell>(1);
    ack_ = make_mapped<Ack>(1);
    bell_[0] = Doorbell{};
    ack_[0] = Ack{};
}

Matcher::~Matcher() {
    close();
    cudaStreamDestroy(feed_);
    cudaStreamDestroy(engine_);
}

void Matcher::upload(int* dst, const std::vector<int>& prices) {
    std::copy(prices.begin(), prices.end(), staging_.get());
    cu(cudaMemcpyAsync(dst, staging_.get(), prices.size() * sizeof(int), cudaMemcpyHostToDevice, feed_));
    cu(cudaStreamSynchronize(feed_));
}

void Matcher::send(Op op, int first, int count, const int* table) {
    bell_[0].op = static_cast<int>(op);
    bell_[0].first = first;
    bell_[0].count = count;
    bell_[0].table = table;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    ++seq_;
    static_cast<volatile Doorbell*>(bell_.get())->seq = seq_;
    while (static_cast<volatile Ack*>(ack_.get())->seq != seq_) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void Matcher::open(const std::vector<int>& prices) {
    upload(active_.get(), prices);
    matcher_main<<<1, 128, 0, engine_>>>(bell_.get(), ack_.get(), orders_.get(), fills_.get());
    cu(cudaGetLastError());
    running_ = true;
    send(Op::UseTable, 0, 0, active_.get());
}

void Matcher::publish(const std::vector<int>& prices) {
    upload(standby_.get(), prices);
}

void Matcher::rollover() {
    send(Op::UseTable, 0, 0, standby_.get());
    std::swap(active_, standby_);
}

std::vector<long long> Matcher::match(const std::vector<Order>& orders) {
    std::copy(orders.begin(), orders.end(), orders_.get());
    send(Op::Match, 0, static_cast<int>(orders.size()));
    return std::vector<long long>(fills_.get(), fills_.get() + orders.size());
}

void Matcher::close() {
    if (!running_) return;
    running_ = false;
    send(Op::Shutdown);
    cu(cudaStreamSynchronize(engine_));
}
