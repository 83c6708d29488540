#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace corr {

struct DeviceFailure : std::runtime_error {
    explicit DeviceFailure(cudaError_t rc) : std::runtime_error(cudaGetErrorName(rc)) {}
};

inline void verify(cudaError_t rc)
{
    if (rc != cudaSuccess) throw DeviceFailure(rc);
}

// Lets all antennas begin an integration at the same instant.
class Gate {
public:
    Gate()
    {
        int* raw = nullptr;
        verify(cudaHostAlloc(reinterpret_cast<void**>(&raw), sizeof(int), cudaHostAllocMapped));
        level_ = std::shared_ptr<int>(raw, [](int* p) { cudaFreeHost(p); });
        close();
    }
    void open() { *static_cast<volatile int*>(level_.get()) = 1; }
    void close() { *static_cast<volatile int*>(level_.get()) = 0; }
    const int* level() const { return level_.get(); }

private:
    std::shared_ptr<int> level_;
};

struct Calibration {
    int gain;
    int bias;
};

void enqueue_gate(const Gate& gate, cudaStream_t stream);
void enqueue_correlation(const Calibration* calibration, unsigned long long* power, int samples, cudaStream_t stream);
unsigned long long expected_power(const Calibration& calibration, int samples);

}  // namespace corr
