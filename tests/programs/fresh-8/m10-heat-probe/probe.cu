#include "probe.hpp"

namespace {
__global__ void pick(const float* field, std::size_t cell, float* slot)
{
    *slot = field[cell];
}
}

field_probe::field_probe(std::size_t cell, std::size_t capacity) : cell_(cell), capacity_(capacity)
{
    cuda_error::raise_if(cudaMalloc(&trace_, capacity * sizeof(float)));
    cuda_error::raise_if(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
    cuda_error::raise_if(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
    cuda_error::raise_if(cudaEventCreateWithFlags(&sampled_, cudaEventDisableTiming));
}

field_probe::~field_probe()
{
    cudaEventDestroy(sampled_);
    cudaEventDestroy(ready_);
    cudaStreamDestroy(side_);
    cudaFree(trace_);
}

void field_probe::tap(const float* field, cudaStream_t solver)
{
    if (taken_ == capacity_) return;
    if (outstanding_) cuda_error::raise_if(cudaStreamWaitEvent(solver, sampled_, 0));
    cuda_error::raise_if(cudaEventRecord(ready_, solver));
    cuda_error::raise_if(cudaStreamWaitEvent(side_, ready_, 0));
    pick<<<1, 1, 0, side_>>>(field, cell_, trace_ + taken_++);
    cuda_error::raise_if(cudaGetLastError());
    cuda_error::raise_if(cudaEventRecord(sampled_, side_));
    outstanding_ = true;
}
