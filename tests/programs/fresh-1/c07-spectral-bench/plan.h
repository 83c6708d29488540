#pragma once
#include <cuda_runtime.h>

#include <map>
#include <memory>

void fail_if(cudaError_t e);

// Filter tables for one batch size.
class Plan {
public:
    Plan(int batch, int length, cudaStream_t s);
    ~Plan();
    const float* table() const { return table_; }
    float* work() const { return work_; }

private:
    float* table_ = nullptr;
    float* work_ = nullptr;
};

class SpectralFilter {
public:
    explicit SpectralFilter(int length);
    ~SpectralFilter();
    void run(const float* in, float* out, int batch);
    cudaStream_t stream() const { return stream_; }

private:
    Plan& plan_for(int batch);

    int length_;
    cudaStream_t stream_{};
    std::map<int, std::unique_ptr<Plan>> plans_;
};
