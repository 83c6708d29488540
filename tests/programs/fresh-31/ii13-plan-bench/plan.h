#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace xf {

inline void demand(cudaError_t status) {
    if (status != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(status));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

struct Shape {
    int length = 1024;
    int batch = 1;
};

// A transform made ready for up to `capacity` signals of one length.
class Plan {
public:
    Plan(int length, int capacity, cudaStream_t stream);
    ~Plan();
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    void execute(const float* in, float* out, int batch, cudaStream_t stream) const;
    int threads() const { return threads_; }
    int capacity() const { return capacity_; }

private:
    float trial(int threads, cudaStream_t stream) const;

    int length_;
    int capacity_;
    int threads_ = 128;
    float* twiddles_ = nullptr;
    float* workspace_ = nullptr;
};

}  // namespace xf
