#include "gpuforcereduction.h"

namespace mdx
{

static constexpr int c_threadsPerBlock = 128;

static __device__ __forceinline__ float3 operator+(float3 a, float3 b)
{
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

template<bool addRvecForce, bool accumulateForce>
static __global__ void reduceKernel(const float3* __restrict__ nbnxmForce,
                                    const float3* __restrict__ rvecForce,
                                    float3* total,
                                    const int* __restrict__ cell,
                                    const int numAtoms)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= numAtoms)
    {
        return;
    }
    float3 f = nbnxmForce[cell[i]];
    if (accumulateForce)
    {
        f = f + total[i];
    }
    if (addRvecForce)
    {
        f = f + rvecForce[i];
    }
    total[i] = f;
}

GpuForceReduction::GpuForceReduction(const DeviceStream& deviceStream) : deviceStream_(deviceStream) {}

void GpuForceReduction::reinit(float3* totalForce, int numAtoms, const std::vector<int>& cell, bool accumulate)
{
    if (totalForce == nullptr)
    {
        throw std::invalid_argument("The total force buffer is not valid");
    }
    totalForce_ = totalForce;
    numAtoms_   = numAtoms;
    accumulate_ = accumulate;
    cell_.reallocate(numAtoms);
    checkDeviceError(cudaMemcpyAsync(cell_.get(), cell.data(), sizeof(int) * numAtoms, cudaMemcpyHostToDevice, deviceStream_.stream()),
                     "cell copy");
    deviceStream_.synchronize();
    dependencyList_.clear();
}

void GpuForceReduction::registerNbnxmForce(const float3* forcePtr) { nbnxmForce_ = forcePtr; }

void GpuForceReduction::registerRvecForce(const float3* forcePtr) { rvecForce_ = forcePtr; }

void GpuForceReduction::addDependency(GpuEventSynchronizer* dependency) { dependencyList_.push_back(dependency); }

void GpuForceReduction::execute(GpuEventSynchronizer* completionMarker)
{
    if (numAtoms_ == 0)
    {
        return;
    }
    for (auto* const synchronizer : dependencyList_)
    {
        synchronizer->enqueueWaitEvent(deviceStream_);
    }

    const int  blocks = (numAtoms_ + c_threadsPerBlock - 1) / c_threadsPerBlock;
    const bool rvec   = rvecForce_ != nullptr;
    auto kernel = rvec ? (accumulate_ ? reduceKernel<true, true> : reduceKernel<true, false>)
                       : (accumulate_ ? reduceKernel<false, true> : reduceKernel<false, false>);
    kernel<<<blocks, c_threadsPerBlock, 0, deviceStream_.stream()>>>(
            nbnxmForce_, rvecForce_, totalForce_, cell_.get(), numAtoms_);
    checkDeviceError(cudaGetLastError(), "force reduction launch");

    if (completionMarker != nullptr)
    {
        completionMarker->markEvent(deviceStream_);
    }
}

} // namespace mdx
