#pragma once
#include <cuda_runtime.h>
#include <memory>
#include <stdexcept>
#include <vector>

namespace survey {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t status) : std::runtime_error(cudaGetErrorName(status)) {}
};
inline void ok(cudaError_t status) {
    if (status != cudaSuccess) throw CudaError(status);
}

struct Geometry {
    int columns = 256;
    int rows = 256;
    int cells() const { return columns * rows; }
};

struct DeviceFree {
    void operator()(void* memory) const noexcept { cudaFree(memory); }
};
template <class T>
using device_ptr = std::unique_ptr<T[], DeviceFree>;

template <class T>
device_ptr<T> device_alloc(std::size_t count) {
    void* memory = nullptr;
    ok(cudaMalloc(&memory, count * sizeof(T)));
    return device_ptr<T>(static_cast<T*>(memory));
}

// Pressure per cell in fixed point; wells inject on a periodic schedule.
class Reservoir {
public:
    explicit Reservoir(Geometry geometry);
    ~Reservoir();
    Reservoir(const Reservoir&) = delete;
    Reservoir& operator=(const Reservoir&) = delete;

    void advance(int step);

    const int* pressure() const { return pressure_.get(); }
    const Geometry& geometry() const { return geometry_; }
    cudaStream_t stream() const { return stream_; }

private:
    Geometry geometry_;
    cudaStream_t stream_ = nullptr;
    device_ptr<int> pressure_;
};

int initial_pressure(int cell);
int injection(int cell, int step);

}  // namespace survey
