#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace mc {

inline void gpu(cudaError_t status)
{
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorName(status));
}

constexpr int kObligors = 64;

using Thresholds = std::uint32_t[kObligors];

// Page-locked tables that circulate between the shards.
class StagingPool {
public:
    ~StagingPool()
    {
        for (std::uint32_t* table : all_) cudaFreeHost(table);
    }

    std::shared_ptr<std::uint32_t> lease()
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (free_.empty()) {
            std::uint32_t* table = nullptr;
            gpu(cudaMallocHost(&table, sizeof(Thresholds)));
            all_.push_back(table);
            free_.push_back(table);
        }
        std::uint32_t* table = free_.back();
        free_.pop_back();
        return {table, [this](std::uint32_t* t) { putBack(t); }};
    }

private:
    void putBack(std::uint32_t* table)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        free_.push_back(table);
    }

    std::mutex mutex_;
    std::vector<std::uint32_t*> all_, free_;
};

// Keeps an object alive until the work that is now in the stream has run.
template <class T>
void retain(cudaStream_t stream, std::shared_ptr<T> object)
{
    auto* keeper = new std::shared_ptr<T>(std::move(object));
    gpu(cudaLaunchHostFunc(stream, [](void* p) { delete static_cast<std::shared_ptr<T>*>(p); }, keeper));
}

class Milestone {
public:
    Milestone() { gpu(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming | cudaEventBlockingSync)); }
    ~Milestone() { cudaEventDestroy(event_); }
    Milestone(const Milestone&) = delete;
    void set(cudaStream_t stream) { gpu(cudaEventRecord(event_, stream)); }
    void before(cudaStream_t stream) const { gpu(cudaStreamWaitEvent(stream, event_, 0)); }
    void reach() const { gpu(cudaEventSynchronize(event_)); }

private:
    cudaEvent_t event_ = nullptr;
};

class Stream {
public:
    Stream() { gpu(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

}  // namespace mc
