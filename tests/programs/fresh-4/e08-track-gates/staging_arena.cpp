#include "staging_arena.h"
#include "cuda_expect.h"

namespace trk {

StagingArena::StagingArena(std::size_t slot_bytes, int slots)
{
    TRK_EXPECT(cudaMallocHost(reinterpret_cast<void**>(&base_), slot_bytes * slots));
    for (int i = slots - 1; i >= 0; --i) free_.push_back(base_ + slot_bytes * i);
}

StagingArena::~StagingArena()
{
    cudaFreeHost(base_);
}

StagingArena::Lease StagingArena::lease()
{
    void* slot = free_.back();
    free_.pop_back();
    return Lease(this, slot);
}

}  // namespace trk
