#include "simulation_gpu.h"

#include <chrono>

namespace mdx {
namespace {

constexpr int c_threads = 128;

__global__ void nbnxmKernel(const float4* x, int numAtoms, int first, int count, float3* f) {
    const int i = blockIdx.x * c_threads + threadIdx.x;
    if (i >= count) return;
    const float4 xi = x[first + i];
    float3       fi = make_float3(0.f, 0.f, 0.f);
    for (int j = 0; j < numAtoms; ++j) {
        const float4 xj = x[j];
        const float  dx = xi.x - xj.x, dy = xi.y - xj.y, dz = xi.z - xj.z;
        const float  rinv2 = 1.f / (dx * dx + dy * dy + dz * dz + 0.05f);
        const float  scale = xi.w * xj.w * rinv2 * rinv2;
        fi.x += scale * dx;
        fi.y += scale * dy;
        fi.z += scale * dz;
    }
    f[first + i] = fi;
}

__global__ void leapFrogKernel(float4* x, float3* v, const float3* f, int numAtoms, float dt) {
    const int i = blockIdx.x * c_threads + threadIdx.x;
    if (i >= numAtoms) return;
    float4 xi = x[i];
    float3 vi = v[i];
    vi.x += dt * (f[i].x - xi.x);
    vi.y += dt * (f[i].y - xi.y);
    vi.z += dt * (f[i].z - xi.z);
    x[i] = make_float4(xi.x + dt * vi.x, xi.y + dt * vi.y, xi.z + dt * vi.z, xi.w);
    v[i] = vi;
}

} // namespace

NbnxmGpu::NbnxmGpu(const DeviceStreamManager& streams, int numAtoms, int numHome) :
    streams_{ streams.stream(DeviceStreamType::NonBondedLocal), streams.stream(DeviceStreamType::NonBondedNonLocal) },
    numAtoms_(numAtoms), numHome_(numHome), f_(numAtoms) {}

void NbnxmGpu::launchKernel(InteractionLocality iloc, const DeviceBuffer<float4>& x, GpuEventSynchronizer* xReady) {
    const auto stream = streams_[static_cast<int>(iloc)];
    const int  first  = iloc == InteractionLocality::Local ? 0 : numHome_;
    const int  count  = iloc == InteractionLocality::Local ? numHome_ : numAtoms_ - numHome_;
    xReady->enqueueWaitEvent(stream);
    nbnxmKernel<<<(count + c_threads - 1) / c_threads, c_threads, 0, stream>>>(x.get(), numAtoms_, first, count, f_.get());
    MDX_CHECK(cudaGetLastError());
    forcesReady(iloc).markEvent(stream);
}

UpdateConstrainGpu::UpdateConstrainGpu(const DeviceStreamManager& streams, int numAtoms) :
    stream_(streams.stream(DeviceStreamType::UpdateAndConstraints)), numAtoms_(numAtoms), v_(numAtoms) {
    MDX_CHECK(cudaMemsetAsync(v_.get(), 0, v_.bytes(), stream_));
}

void UpdateConstrainGpu::integrate(DeviceBuffer<float4>& x, const DeviceBuffer<float3>& f, float dt) {
    leapFrogKernel<<<(numAtoms_ + c_threads - 1) / c_threads, c_threads, 0, stream_>>>(
            x.get(), v_.get(), f.get(), numAtoms_, dt);
    MDX_CHECK(cudaGetLastError());
}

MdRunner::MdRunner(const DeviceStreamManager& streams, const std::vector<float4>& start, int numHome) :
    updateStream_(streams.stream(DeviceStreamType::UpdateAndConstraints)), x_(start.size()),
    nbv_(streams, start.size(), numHome), update_(streams, start.size()) {
    MDX_CHECK(cudaMemcpyAsync(x_.get(), start.data(), x_.bytes(), cudaMemcpyHostToDevice, updateStream_));
    MDX_CHECK(cudaStreamSynchronize(updateStream_));
}

void MdRunner::doStep(GpuRegionTimer* timer) {
    timer->openTimingRegion(updateStream_);
    xReadyOnDevice_.markEvent(updateStream_);
    for (auto iloc : { InteractionLocality::NonLocal, InteractionLocality::Local }) {
        nbv_.launchKernel(iloc, x_, &xReadyOnDevice_);
        nbv_.forcesReady(iloc).enqueueWaitEvent(updateStream_);
    }
    update_.integrate(x_, nbv_.forces(), 1e-3f);
    timer->closeTimingRegion(updateStream_);
}

StepTimings MdRunner::run(int numSteps, int resetStep) {
    using Clock = std::chrono::steady_clock;
    StepTimings timings;
    auto        wallStart = Clock::now();
    for (int step = 0; step < numSteps; ++step) {
        GpuRegionTimer& previous = timers_[(step + 1) % 2];
        if (step == resetStep) {
            previous.getLastRangeTime();
            timings.stepMs = 0;
            wallStart      = Clock::now();
        }
        doStep(&timers_[step % 2]);
        timings.stepMs += previous.getLastRangeTime();
    }
    timings.stepMs += timers_[(numSteps + 1) % 2].getLastRangeTime();
    timings.wallMs = std::chrono::duration<double, std::milli>(Clock::now() - wallStart).count();
    timings.stepMs /= numSteps - resetStep;
    timings.wallMs /= numSteps - resetStep;
    return timings;
}

std::vector<float4> MdRunner::coordinates() const {
    std::vector<float4> host(x_.bytes() / sizeof(float4));
    MDX_CHECK(cudaMemcpyAsync(host.data(), x_.get(), x_.bytes(), cudaMemcpyDeviceToHost, updateStream_));
    MDX_CHECK(cudaStreamSynchronize(updateStream_));
    return host;
}

} // namespace mdx
