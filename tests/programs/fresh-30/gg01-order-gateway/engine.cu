#include <cstring>

#include "engine.h"

namespace venue {
namespace {

__device__ uint32_t peek(const uint32_t* p) {
    return *reinterpret_cast<const volatile uint32_t*>(p);
}

__device__ void poke(uint32_t* p, uint32_t v) {
    *reinterpret_cast<volatile uint32_t*>(p) = v;
}

__device__ Order fetch(const Order* o) {
    Order r;
    r.symbol = peek(&o->symbol);
    r.qty = static_cast<int32_t>(peek(reinterpret_cast<const uint32_t*>(&o->qty)));
    r.price = peek(&o->price);
    r.account = peek(&o->account);
    return r;
}

__device__ void apply(Book* book, const Order& o) {
    const long long notional = static_cast<long long>(o.qty) * static_cast<long long>(o.price);
    atomicAdd(reinterpret_cast<unsigned long long*>(&book->exposure[o.symbol % kSymbols]),
              static_cast<unsigned long long>(notional));
    atomicAdd(&book->volume, static_cast<unsigned long long>(o.qty < 0 ? -o.qty : o.qty));
    atomicAdd(&book->trades, 1ull);
}

// Takes batches off the mailbox until it is closed and empty, or until
// `limit` batches have been seen.
__global__ void match_loop(Mailbox* box, Book* book, uint32_t limit) {
    __shared__ uint32_t shared_head;
    uint32_t next = 0;
    while (next < limit) {
        if (threadIdx.x == 0) {
            uint32_t head, closed;
            do {
                closed = peek(&box->closed);
                __threadfence_system();
                head = peek(&box->head);
            } while (head == next && !closed);
            __threadfence_system();
            shared_head = head;
        }
        __syncthreads();
        const uint32_t head = shared_head;
        __syncthreads();
        if (head == next) break;
        for (; next != head; ++next) {
            const Batch* b = &box->ring[next % kRing];
            const uint32_t n = peek(&b->count);
            for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
                apply(book, fetch(&b->orders[i]));
            }
            __syncthreads();
            if (threadIdx.x == 0) {
                __threadfence_system();
                poke(&box->tail, next + 1);
            }
        }
    }
}

const bool match_loop_listed = KernelTable::get().list("match_loop", [](cudaStream_t s) {
    match_loop<<<1, kBatch, 0, s>>>(nullptr, nullptr, 0);
});

}  // namespace

Floor::Floor() {
    ok(cudaHostAlloc(reinterpret_cast<void**>(&box_), sizeof(Mailbox), cudaHostAllocMapped));
    std::memset(box_, 0, sizeof(Mailbox));
    ok(cudaMalloc(reinterpret_cast<void**>(&book_), sizeof(Book)));
    ok(cudaMemset(book_, 0, sizeof(Book)));
    Stream s;
    KernelTable::get().bring_up(s);
    ok(cudaDeviceSynchronize());
}

Floor::~Floor() {
    cudaFree(book_);
    cudaFreeHost(box_);
}

Book Floor::read_book() const {
    Book b;
    ok(cudaMemcpy(&b, book_, sizeof b, cudaMemcpyDeviceToHost));
    return b;
}

Session::Session(Floor& floor, Stream lane) : floor_(floor), lane_(std::move(lane)), bell_(floor.box()) {
    match_loop<<<1, kBatch, 0, lane_>>>(floor_.box(), floor_.book(), UINT32_MAX);
    ok(cudaGetLastError());
}

uint32_t Session::matched() const {
    return __atomic_load_n(&floor_.box()->tail, __ATOMIC_ACQUIRE);
}

bool Session::submit(const std::vector<Order>& orders) {
    if (orders.empty() || orders.size() > kBatch) return false;
    while (next_ - matched() >= kRing) {
    }
    Batch& b = floor_.box()->ring[next_ % kRing];
    b.count = static_cast<uint32_t>(orders.size());
    b.sequence = next_;
    std::memcpy(b.orders, orders.data(), orders.size() * sizeof(Order));
    ++next_;
    __atomic_store_n(&floor_.box()->head, next_, __ATOMIC_RELEASE);
    return true;
}

}  // namespace venue
