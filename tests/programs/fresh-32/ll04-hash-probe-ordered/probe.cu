#include "probe.cuh"

namespace db {

__global__ void probe_loop(Mailbox* box, const Entry* const* table, const std::uint32_t* mask) {
    __shared__ std::uint32_t ticket;
    __shared__ bool leave;
    const Entry* t = *table;
    const std::uint32_t m = *mask;
    std::uint32_t last = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            leave = false;
            for (;;) {
                ticket = box->ticket;
                if (ticket != last) break;
                if (box->quit) {
                    leave = true;
                    break;
                }
            }
            __threadfence_system();
        }
        __syncthreads();
        if (leave) return;
        last = ticket;
        if (threadIdx.x < box->count) {
            const std::uint32_t key = box->keys[threadIdx.x];
            std::uint32_t row = kAbsent;
            for (std::uint32_t h = key * 2654435761u & m;; h = (h + 1) & m) {
                const Entry e = t[h];
                if (e.key == key) row = e.row;
                if (e.key == key || e.key == kAbsent) break;
            }
            box->rows[threadIdx.x] = row;
        }
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) box->served = last;
    }
}

void ProbeService::start(const Entry* table, std::uint32_t mask) {
    bind_->table = table;
    bind_->mask = mask;
    probe_loop<<<1, kBatch, 0, stream_>>>(box_, &bind_->table, &bind_->mask);
    DB_CUDA(cudaGetLastError());
}

ProbeError ProbeService::lookup(const std::uint32_t* keys, int n, std::uint32_t* rows) {
    if (n > kBatch) return ProbeError::too_large;
    if (box_->quit) return ProbeError::closed;
    for (int i = 0; i < n; ++i) box_->keys[i] = keys[i];
    box_->count = std::uint32_t(n);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const std::uint32_t mine = box_->ticket + 1;
    box_->ticket = mine;
    while (box_->served != mine) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (int i = 0; i < n; ++i) rows[i] = box_->rows[i];
    return ProbeError::none;
}

}  // namespace db
