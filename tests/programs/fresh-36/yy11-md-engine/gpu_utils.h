#pragma once

#include <cuda_runtime.h>

#include <array>
#include <stdexcept>
#include <string>

namespace mdx {

class InternalError : public std::runtime_error {
public:
    InternalError(cudaError_t stat, const std::string& where) :
        std::runtime_error(where + ": " + cudaGetErrorString(stat)), stat_(stat) {}
    cudaError_t stat() const { return stat_; }

private:
    cudaError_t stat_;
};

inline void checkDeviceError(cudaError_t stat, const char* where) {
    if (stat != cudaSuccess) throw InternalError(stat, where);
}

#define MDX_CHECK(call) ::mdx::checkDeviceError((call), #call)

enum class DeviceStreamType : int { NonBondedLocal, NonBondedNonLocal, UpdateAndConstraints, Count };

class DeviceStreamManager {
public:
    DeviceStreamManager() {
        for (auto& stream : streams_) MDX_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    DeviceStreamManager(const DeviceStreamManager&) = delete;
    ~DeviceStreamManager() {
        for (auto stream : streams_) cudaStreamDestroy(stream);
    }
    cudaStream_t stream(DeviceStreamType type) const { return streams_[static_cast<int>(type)]; }

private:
    std::array<cudaStream_t, static_cast<int>(DeviceStreamType::Count)> streams_{};
};

//! One point in one stream that other streams can be put behind.
class GpuEventSynchronizer {
public:
    GpuEventSynchronizer() { MDX_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    GpuEventSynchronizer(const GpuEventSynchronizer&) = delete;
    ~GpuEventSynchronizer() { cudaEventDestroy(event_); }
    void markEvent(cudaStream_t stream) { MDX_CHECK(cudaEventRecord(event_, stream)); }
    void enqueueWaitEvent(cudaStream_t stream) { MDX_CHECK(cudaStreamWaitEvent(stream, event_, 0)); }

private:
    cudaEvent_t event_ = nullptr;
};

//! Time between two points of the device's schedule.
class GpuRegionTimer {
public:
    GpuRegionTimer() {
        MDX_CHECK(cudaEventCreate(&eventStart_));
        MDX_CHECK(cudaEventCreate(&eventStop_));
    }
    GpuRegionTimer(const GpuRegionTimer&) = delete;
    ~GpuRegionTimer() {
        cudaEventDestroy(eventStart_);
        cudaEventDestroy(eventStop_);
    }
    void openTimingRegion(cudaStream_t stream) { MDX_CHECK(cudaEventRecord(eventStart_, stream)); }
    void closeTimingRegion(cudaStream_t stream) {
        MDX_CHECK(cudaEventRecord(eventStop_, stream));
        pending_ = true;
    }
    double getLastRangeTime() {
        if (!pending_) return 0;
        float milliseconds = 0;
        MDX_CHECK(cudaEventSynchronize(eventStop_));
        MDX_CHECK(cudaEventElapsedTime(&milliseconds, eventStart_, eventStop_));
        pending_ = false;
        return milliseconds;
    }

private:
    cudaEvent_t eventStart_ = nullptr, eventStop_ = nullptr;
    bool        pending_ = false;
};

} // namespace mdx
