#pragma once
#include "gpu_utils.h"

namespace mdx
{

/*! \brief Sums the force contributions of several modules into one buffer on the device.
 *
 * The non-bonded forces come in the order of the search grid, the others in atom order.
 */
class GpuForceReduction
{
public:
    explicit GpuForceReduction(const DeviceStream& deviceStream);

    //! Sets the buffer of the total force and the mapping for a new partitioning.
    void reinit(float3* totalForce, int numAtoms, const std::vector<int>& cell, bool accumulate);
    void registerNbnxmForce(const float3* forcePtr);
    void registerRvecForce(const float3* forcePtr);
    //! An event that the reduction waits for
    void addDependency(GpuEventSynchronizer* dependency);
    void execute(GpuEventSynchronizer* completionMarker);

private:
    const DeviceStream&                deviceStream_;
    std::vector<GpuEventSynchronizer*> dependencyList_;
    float3*                            totalForce_  = nullptr;
    const float3*                      nbnxmForce_  = nullptr;
    const float3*                      rvecForce_   = nullptr;
    int                                numAtoms_    = 0;
    bool                               accumulate_  = false;
    DeviceBuffer<int>                  cell_;
};

} // namespace mdx
