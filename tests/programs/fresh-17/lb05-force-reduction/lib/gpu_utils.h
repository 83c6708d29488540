#pragma once
/*! \file
 *  Thin owning classes around device streams, events and buffers.
 */
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace mdx
{

inline void checkDeviceError(const cudaError_t stat, const char* what)
{
    if (stat != cudaSuccess)
    {
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorName(stat) + ", " + cudaGetErrorString(stat));
    }
}

enum class DeviceStreamType : int
{
    NonBondedLocal,
    Pme,
    UpdateAndConstraints,
    Count
};

class DeviceStream
{
public:
    explicit DeviceStream(bool highPriority = false)
    {
        int least = 0, greatest = 0;
        checkDeviceError(cudaDeviceGetStreamPriorityRange(&least, &greatest), "priority range");
        checkDeviceError(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, highPriority ? greatest : least),
                         "stream creation");
    }
    ~DeviceStream() { cudaStreamDestroy(stream_); }
    DeviceStream(const DeviceStream&) = delete;
    DeviceStream& operator=(const DeviceStream&) = delete;
    cudaStream_t stream() const { return stream_; }
    void synchronize() const { checkDeviceError(cudaStreamSynchronize(stream_), "stream synchronization"); }

private:
    cudaStream_t stream_ = nullptr;
};

class GpuEventSynchronizer
{
public:
    GpuEventSynchronizer() { checkDeviceError(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "event creation"); }
    ~GpuEventSynchronizer() { cudaEventDestroy(event_); }
    GpuEventSynchronizer(const GpuEventSynchronizer&) = delete;
    GpuEventSynchronizer& operator=(const GpuEventSynchronizer&) = delete;

    void markEvent(const DeviceStream& s) { checkDeviceError(cudaEventRecord(event_, s.stream()), "event record"); }
    void enqueueWaitEvent(const DeviceStream& s) { checkDeviceError(cudaStreamWaitEvent(s.stream(), event_, 0), "event wait"); }
    void waitForEvent() { checkDeviceError(cudaEventSynchronize(event_), "event synchronize"); }

private:
    cudaEvent_t event_ = nullptr;
};

template<typename T>
class DeviceBuffer
{
public:
    ~DeviceBuffer() { cudaFree(ptr_); }
    void reallocate(int n)
    {
        if (n > capacity_)
        {
            checkDeviceError(cudaFree(ptr_), "free");
            checkDeviceError(cudaMalloc(&ptr_, sizeof(T) * n), "allocation");
            capacity_ = n;
        }
    }
    T* get() const { return ptr_; }

private:
    T*  ptr_      = nullptr;
    int capacity_ = 0;
};

} // namespace mdx
