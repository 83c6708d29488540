#include "simulator.h"

namespace mdx
{

static __global__ void leapfrogKernel(float3* x, const float3* f, float dt, int numAtoms)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < numAtoms)
    {
        x[i].x += dt * f[i].x;
        x[i].y += dt * f[i].y;
        x[i].z += dt * f[i].z;
    }
}

GpuSimulator::GpuSimulator(IForceProvider& nonbonded, IForceProvider& longRange, float timeStep) :
    nonbonded_(nonbonded),
    longRange_(longRange),
    timeStep_(timeStep),
    localStream_(false),
    pmeStream_(true),
    updateStream_(true),
    forceReduction_(updateStream_)
{
}

GpuSimulator::~GpuSimulator()
{
    cudaStreamSynchronize(localStream_.stream());
    cudaStreamSynchronize(pmeStream_.stream());
    cudaStreamSynchronize(updateStream_.stream());
}

void GpuSimulator::setupForceReduction(const std::vector<int>& cell)
{
    forceReduction_.reinit(f_.get(), numAtoms_, cell, false);
    forceReduction_.registerNbnxmForce(fNbnxm_.get());
    forceReduction_.registerRvecForce(fPme_.get());
    forceReduction_.addDependency(&nonbondedForcesReady_);
    forceReduction_.addDependency(&pmeForcesReady_);
}

void GpuSimulator::partition(const std::vector<float3>& x, const std::vector<int>& cell)
{
    localStream_.synchronize();
    pmeStream_.synchronize();
    updateStream_.synchronize();

    numAtoms_ = static_cast<int>(x.size());
    for (auto* b : { &x_, &f_, &fNbnxm_, &fPme_ })
    {
        b->reallocate(numAtoms_);
    }
    checkDeviceError(cudaMemcpyAsync(x_.get(), x.data(), sizeof(float3) * numAtoms_, cudaMemcpyHostToDevice, updateStream_.stream()),
                     "coordinate copy");
    xUpdatedOnDevice_.markEvent(updateStream_);
    updateStream_.synchronize();
    setupForceReduction(cell);
}

void GpuSimulator::step()
{
    // Coordinates of the last step; also orders the force buffers behind their last reduction
    xUpdatedOnDevice_.enqueueWaitEvent(localStream_);
    xUpdatedOnDevice_.enqueueWaitEvent(pmeStream_);

    longRange_.calculateForces(x_.get(), fPme_.get(), numAtoms_, pmeStream_.stream());
    pmeForcesReady_.markEvent(pmeStream_);

    nonbonded_.calculateForces(x_.get(), fNbnxm_.get(), numAtoms_, localStream_.stream());
    nonbondedForcesReady_.markEvent(localStream_);

    forceReduction_.execute(&fReducedOnDevice_);

    leapfrogKernel<<<(numAtoms_ + 127) / 128, 128, 0, updateStream_.stream()>>>(x_.get(), f_.get(), timeStep_, numAtoms_);
    checkDeviceError(cudaGetLastError(), "update launch");
    xUpdatedOnDevice_.markEvent(updateStream_);
}

std::vector<float3> GpuSimulator::coordinates() const
{
    std::vector<float3> x(numAtoms_);
    checkDeviceError(cudaMemcpyAsync(x.data(), x_.get(), sizeof(float3) * numAtoms_, cudaMemcpyDeviceToHost, updateStream_.stream()),
                     "coordinate copy");
    updateStream_.synchronize();
    return x;
}

} // namespace mdx
