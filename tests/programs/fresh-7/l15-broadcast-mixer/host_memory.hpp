#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <mutex>

namespace bcast {

void must(cudaError_t e);

// Process-wide account of page-locked memory.
class LockedBudget {
public:
    static LockedBudget& instance();
    void configure(std::size_t limit);
    bool charge(std::size_t bytes);
    void refund(std::size_t bytes);

private:
    LockedBudget() = default;
    std::mutex m_;
    std::size_t limit_ = 0;
    std::size_t used_ = 0;
};

class HostMemory {
public:
    virtual ~HostMemory() = default;
    virtual void* data() = 0;
};

std::unique_ptr<HostMemory> obtainHostMemory(std::size_t bytes);

template <typename Sample>
class SampleBuffer {
public:
    explicit SampleBuffer(std::size_t count) : count_(count), memory_(obtainHostMemory(count * sizeof(Sample))) {}
    Sample* data() { return static_cast<Sample*>(memory_->data()); }
    std::size_t bytes() const { return count_ * sizeof(Sample); }
    Sample& operator[](std::size_t i) { return data()[i]; }

private:
    std::size_t count_;
    std::unique_ptr<HostMemory> memory_;
};

}  // namespace bcast
