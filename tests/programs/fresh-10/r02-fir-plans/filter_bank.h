#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace fir {

constexpr int kTaps = 48;

class CudaFailure : public std::runtime_error {
public:
    explicit CudaFailure(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void must(cudaError_t code) {
    if (code != cudaSuccess) throw CudaFailure(code);
}

template <class T>
struct DeviceDelete {
    void operator()(T* p) const { cudaFree(p); }
};
template <class T>
struct PinnedDelete {
    void operator()(T* p) const { cudaFreeHost(p); }
};
template <class T>
using DevicePtr = std::unique_ptr<T[], DeviceDelete<T>>;
template <class T>
using PinnedPtr = std::unique_ptr<T[], PinnedDelete<T>>;

template <class T>
DevicePtr<T> deviceArray(std::size_t n) {
    T* p = nullptr;
    must(cudaMalloc(&p, n * sizeof(T)));
    return DevicePtr<T>(p);
}

template <class T>
PinnedPtr<T> pinnedArray(std::size_t n) {
    T* p = nullptr;
    must(cudaMallocHost(&p, n * sizeof(T)));
    return PinnedPtr<T>(p);
}

// One band, ready to be executed any number of times.
class FilterPlan {
public:
    ~FilterPlan();
    std::vector<int> execute(const std::vector<int>& signal);
    int band() const { return band_; }

private:
    friend class FilterBank;
    FilterPlan(int band, int samples, cudaStream_t stream);

    int band_;
    int samples_;
    cudaStream_t stream_;
    DevicePtr<int> taps_;
    DevicePtr<int> input_;
    DevicePtr<int> output_;
    PinnedPtr<int> feed_;
    PinnedPtr<int> yield_;
    cudaGraphExec_t exec_ = nullptr;
};

class FilterBank {
public:
    explicit FilterBank(int samples);
    ~FilterBank();
    std::unique_ptr<FilterPlan> design(int band);
    static int tap(int band, int index) { return (index * (band + 2) + 3 * band) % 11 - 5; }

private:
    int samples_;
    cudaStream_t stream_ = nullptr;
    PinnedPtr<int> coefficients_;
};

}  // namespace fir
