#include "cg.cuh"

namespace cg {

// Spreads the rows over all the blocks that the device holds at a time; every
// block keeps the matrix rows it owns in its shared memory.
LaunchPlan plan_solver(const void* kernel, int rows)
{
    int device = 0, sms = 0, per_sm = 0;
    require(cudaGetDevice(&device));
    require(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, kThreads, 0));

    LaunchPlan plan;
    plan.blocks = sms * per_sm;
    plan.rows_per_block = (rows + plan.blocks - 1) / plan.blocks;
    plan.tile_bytes = static_cast<std::size_t>(plan.rows_per_block) * kNnz * (sizeof(double) + sizeof(int));
    require(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(plan.tile_bytes)));
    return plan;
}

} // namespace cg
