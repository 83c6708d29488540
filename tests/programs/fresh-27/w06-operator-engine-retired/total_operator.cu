#include <atomic>
#include <cstring>
#include <thread>

#include "operators.h"

namespace dbx {
namespace {

__global__ void pump(ExchangeControl* control, const Row* ring, long long* total) {
    __shared__ unsigned available;
    unsigned taken = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            unsigned closed, published;
            do {
                closed = control->closed;
                __threadfence_system();
                published = control->published;
            } while (published == taken && !closed);
            __threadfence_system();
            available = published;
        }
        __syncthreads();
        const unsigned upto = available;
        if (upto == taken) return;
        for (; taken != upto; ++taken) {
            const volatile Row* batch = ring + (taken % kRing) * kBatchRows;
            long long local = 0;
            for (int i = threadIdx.x; i < kBatchRows; i += blockDim.x) local += batch[i].value;
            atomicAdd(reinterpret_cast<unsigned long long*>(total),
                      static_cast<unsigned long long>(local));
            __syncthreads();
            if (threadIdx.x == 0) {
                __threadfence_system();
                control->consumed = taken + 1;
            }
        }
        __syncthreads();
    }
}

}  // namespace

TotalOperator::TotalOperator()
    : control_(make_column<ExchangeControl, Space::pinned>(1)),
      ring_(make_column<Row, Space::pinned>(kRing * kBatchRows)),
      total_(make_column<long long>(1)) {
    control_[0].published = control_[0].consumed = control_[0].closed = 0;
    cudaFuncAttributes attributes{};
    ok(cudaFuncGetAttributes(&attributes, pump));
    ok(cudaMemsetAsync(total_.get(), 0, sizeof(long long), stream_.raw));
    ok(cudaStreamSynchronize(stream_.raw));
}

void TotalOperator::open() {
    pump<<<1, 128, 0, stream_.raw>>>(control_.get(), ring_.get(), total_.get());
    ok(cudaGetLastError());
}

void TotalOperator::consume(const Row* batch) {
    ExchangeControl& control = control_[0];
    while (control.published - control.consumed == kRing) std::this_thread::yield();
    std::memcpy(ring_.get() + (control.published % kRing) * kBatchRows, batch,
                kBatchRows * sizeof(Row));
    std::atomic_thread_fence(std::memory_order_seq_cst);
    control.published = control.published + 1;
}

void TotalOperator::close() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    control_[0].closed = 1;
    ok(cudaStreamSynchronize(stream_.raw));
}

long long TotalOperator::total() const {
    long long value = 0;
    ok(cudaMemcpy(&value, total_.get(), sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

}  // namespace dbx
