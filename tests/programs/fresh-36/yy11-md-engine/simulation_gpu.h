#pragma once

#include "gpu_utils.h"

#include <memory>
#include <vector>

namespace mdx {

enum class InteractionLocality : int { Local, NonLocal, Count };

template<typename T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(size_t count) : count_(count) { MDX_CHECK(cudaMalloc(&data_, count * sizeof(T))); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    ~DeviceBuffer() { cudaFree(data_); }
    T*     get() const { return data_; }
    size_t bytes() const { return count_ * sizeof(T); }

private:
    T*     data_ = nullptr;
    size_t count_;
};

//! Short-ranged forces; home atoms and halo atoms in streams of their own.
class NbnxmGpu {
public:
    NbnxmGpu(const DeviceStreamManager& streams, int numAtoms, int numHome);
    void launchKernel(InteractionLocality iloc, const DeviceBuffer<float4>& x, GpuEventSynchronizer* xReady);
    GpuEventSynchronizer& forcesReady(InteractionLocality iloc) { return forcesReady_[static_cast<int>(iloc)]; }
    const DeviceBuffer<float3>& forces() const { return f_; }

private:
    std::array<cudaStream_t, 2>         streams_;
    std::array<GpuEventSynchronizer, 2> forcesReady_;
    int                                 numAtoms_, numHome_;
    DeviceBuffer<float3>                f_;
};

class UpdateConstrainGpu {
public:
    UpdateConstrainGpu(const DeviceStreamManager& streams, int numAtoms);
    void integrate(DeviceBuffer<float4>& x, const DeviceBuffer<float3>& f, float dt);

private:
    cudaStream_t         stream_;
    int                  numAtoms_;
    DeviceBuffer<float3> v_;
};

struct StepTimings {
    double stepMs = 0; //!< from the region timers
    double wallMs = 0; //!< from the wall clock
};

class MdRunner {
public:
    MdRunner(const DeviceStreamManager& streams, const std::vector<float4>& start, int numHome);
    StepTimings run(int numSteps, int resetStep);
    std::vector<float4> coordinates() const;

private:
    void doStep(GpuRegionTimer* timer);

    cudaStream_t                  updateStream_;
    DeviceBuffer<float4>          x_;
    NbnxmGpu                      nbv_;
    UpdateConstrainGpu            update_;
    GpuEventSynchronizer          xReadyOnDevice_;
    std::array<GpuRegionTimer, 2> timers_;
};

} // namespace mdx
