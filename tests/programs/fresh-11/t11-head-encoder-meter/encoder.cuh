#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#include <cuda_runtime.h>

namespace nn {

inline void ok(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

class Event {
public:
    Event() { ok(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record(cudaStream_t s) { ok(cudaEventRecord(event_, s)); }
    void hold(cudaStream_t s) const { ok(cudaStreamWaitEvent(s, event_, 0)); }

private:
    cudaEvent_t event_ = nullptr;
};

struct Lane {
    cudaStream_t stream = nullptr;
    Event done;
    Lane() { ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
    ~Lane() { cudaStreamDestroy(stream); }
};

template <class T>
struct DeviceArray {
    T* data = nullptr;
    std::size_t size = 0;
    explicit DeviceArray(std::size_t n) : size(n)
    {
        ok(cudaMalloc(&data, n * sizeof(T)));
        ok(cudaMemset(data, 0, n * sizeof(T)));
    }
    ~DeviceArray() { cudaFree(data); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
};

// Something that looks at an output beside the computation.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void sample(const uint32_t* values, int n, cudaStream_t producer) = 0;
};

// Sums of the outputs so far.
class ActivationMeter final : public Observer {
public:
    ActivationMeter();
    void sample(const uint32_t* values, int n, cudaStream_t producer) override;
    unsigned long long total();

private:
    Lane lane_;
    Event produced_, sampled_;
    DeviceArray<unsigned long long> sum_;
};

class Encoder {
public:
    Encoder(int n, int heads, int lanes);
    void attach(std::shared_ptr<Observer> observer) { observer_ = std::move(observer); }
    void forward(const uint32_t* x, uint32_t* y, cudaStream_t stream);

private:
    int n_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::vector<std::unique_ptr<DeviceArray<uint32_t>>> heads_;
    DeviceArray<uint32_t*> table_;
    Event entered_;
    std::shared_ptr<Observer> observer_;
};

}  // namespace nn
