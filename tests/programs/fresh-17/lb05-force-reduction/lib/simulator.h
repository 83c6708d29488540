#pragma once
#include "gpuforcereduction.h"

#include <memory>

namespace mdx
{

//! A module that computes forces on the device in the stream given.
class IForceProvider
{
public:
    virtual ~IForceProvider() = default;
    virtual void calculateForces(const float3* x, float3* f, int numAtoms, cudaStream_t stream) = 0;
};

//! Runs MD steps with GPU-resident coordinates; non-bonded and long-range forces overlap.
class GpuSimulator
{
public:
    GpuSimulator(IForceProvider& nonbonded, IForceProvider& longRange, float timeStep);
    ~GpuSimulator();

    //! New assignment of atoms: called every nstlist steps
    void partition(const std::vector<float3>& x, const std::vector<int>& cell);
    void step();
    std::vector<float3> coordinates() const;

private:
    void setupForceReduction(const std::vector<int>& cell);

    IForceProvider&      nonbonded_;
    IForceProvider&      longRange_;
    const float          timeStep_;
    int                  numAtoms_ = 0;
    DeviceStream         localStream_, pmeStream_, updateStream_;
    GpuEventSynchronizer nonbondedForcesReady_, pmeForcesReady_, fReducedOnDevice_, xUpdatedOnDevice_;
    DeviceBuffer<float3> x_, f_, fNbnxm_, fPme_;
    GpuForceReduction    forceReduction_;
};

} // namespace mdx
