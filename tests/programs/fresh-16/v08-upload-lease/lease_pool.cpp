#include "lease_pool.h"

#include <cstdio>
#include <cstdlib>

namespace seq {

void must(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

pinned_block::pinned_block(std::size_t bytes)
{
    must(cudaHostAlloc(&data, bytes, cudaHostAllocDefault));
    must(cudaEventCreateWithFlags(&last_use, cudaEventDisableTiming));
}

pinned_block::~pinned_block()
{
    cudaEventDestroy(last_use);
    cudaFreeHost(data);
}

lease lease_pool::acquire()
{
    std::unique_ptr<pinned_block> b;
    if (!retired_.empty()) {
        const cudaError_t state = cudaEventQuery(retired_.front()->last_use);
        if (state != cudaSuccess && state != cudaErrorNotReady) must(state);
        if (state == cudaSuccess || created_ >= 3) {
            b = std::move(retired_.front());
            retired_.pop_front();
            must(cudaEventSynchronize(b->last_use));
        }
    }
    if (!b) {
        b = std::make_unique<pinned_block>(bytes_);
        ++created_;
    }
    return lease(b.release(),
                 [this](pinned_block* p) { retire(std::unique_ptr<pinned_block>(p)); });
}

void lease_pool::used_by(const lease& l, cudaStream_t stream)
{
    must(cudaEventRecord(l->last_use, stream));
}

lease_pool::~lease_pool()
{
    for (auto& b : retired_) must(cudaEventSynchronize(b->last_use));
}

}  // namespace seq
