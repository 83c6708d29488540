#pragma once

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>

#include <cuda_runtime.h>

namespace radar {

inline void expect(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

struct StreamCloser {
    void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
};

struct DeviceDeleter {
    void operator()(void* memory) const { cudaFree(memory); }
};

using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamCloser>;
using Samples = std::unique_ptr<float[], DeviceDeleter>;

inline Stream makeStream() {
    cudaStream_t stream = nullptr;
    expect(cudaStreamCreate(&stream));
    return Stream(stream);
}

inline Samples makeSamples(size_t count) {
    void* memory = nullptr;
    expect(cudaMalloc(&memory, count * sizeof(float)));
    expect(cudaMemset(memory, 0, count * sizeof(float)));
    return Samples(static_cast<float*>(memory));
}

// One antenna beam with its own stream and range profile.
class Lane {
public:
    Lane(int beam, int bins)
        : beam_(beam), bins_(bins), stream_(makeStream()), profile_(makeSamples(bins)),
          power_(makeSamples(bins)) {}

    void pulse(int number);
    void finish() const { expect(cudaStreamSynchronize(stream_.get())); }
    const float* power() const { return power_.get(); }
    int beam() const { return beam_; }

private:
    int beam_;
    int bins_;
    Stream stream_;
    Samples profile_;
    Samples power_;
};

}  // namespace radar
