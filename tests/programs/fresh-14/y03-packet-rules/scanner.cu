#include "scanner.h"

#include <atomic>

namespace {

__device__ bool listed(const unsigned* rules, int count, unsigned key) {
    int lo = 0, hi = count;
    while (lo < hi) {
        const int mid = (lo + hi) / 2;
        if (rules[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < count && rules[lo] == key;
}

__global__ void scanService(Mailbox* box) {
    __shared__ unsigned ticket;
    __shared__ int hits;
    unsigned served = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            hits = 0;
            while ((ticket = box->ticket) == served) __nanosleep(2000);
            __threadfence_system();
        }
        __syncthreads();
        const unsigned current = ticket;
        if (current == kCloseTicket) return;
        const unsigned* rules = box->rules;
        const unsigned* packets = box->packets;
        const int ruleCount = box->ruleCount, packetCount = box->packetCount;
        int mine = 0;
        for (int i = threadIdx.x; i < packetCount; i += blockDim.x)
            mine += listed(rules, ruleCount, packets[i]);
        atomicAdd(&hits, mine);
        __syncthreads();
        if (threadIdx.x == 0) {
            box->hits = hits;
            __threadfence_system();
            box->answered = current;
        }
        served = current;
        __syncthreads();
    }
}

}  // namespace

Scanner::Scanner() {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    require(cudaHostAlloc(&box_, sizeof(Mailbox), cudaHostAllocMapped));
    box_->ticket = 0;
    box_->answered = 0;
}

Scanner::~Scanner() {
    cudaFreeHost(box_);
    cudaStreamDestroy(stream_);
}

void Scanner::start() {
    scanService<<<1, 256, 0, stream_>>>(box_);
    require(cudaGetLastError());
}

int Scanner::scan(const DeviceArray<unsigned>& packets, const DeviceArray<unsigned>& rules) {
    box_->rules = rules.data();
    box_->ruleCount = int(rules.size());
    box_->packets = packets.data();
    box_->packetCount = int(packets.size());
    std::atomic_thread_fence(std::memory_order_seq_cst);
    box_->ticket = ++next_;
    while (box_->answered != next_) {
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return box_->hits;
}

void Scanner::stop() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    box_->ticket = kCloseTicket;
    require(cudaStreamSynchronize(stream_));
}
