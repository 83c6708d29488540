#pragma once
#include "span.h"

namespace ocean {

template <int Millis>
__device__ void churn()
{
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(a)::"memory");
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(b)::"memory");
    } while (b - a < Millis * 1000000ull);
}

template <int Millis>
__global__ void advance(int* cell, int first, int count, int by)
{
    churn<Millis>();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        cell[first + i] += by;
}

// A basin: open water in the middle, a coast at the end of the array.
class basin {
public:
    basin(int cells, int coast) : cells_(cells), coast_(coast)
    {
        all_ok(cudaStreamCreateWithFlags(&water_, cudaStreamNonBlocking));
        all_ok(cudaStreamCreateWithFlags(&shore_, cudaStreamNonBlocking));
        all_ok(cudaMalloc(&field_, cells * sizeof(int)));
        all_ok(cudaMemsetAsync(field_, 0, cells * sizeof(int), water_));
    }
    ~basin()
    {
        cudaStreamSynchronize(water_);
        cudaFree(field_);
        cudaStreamDestroy(shore_);
        cudaStreamDestroy(water_);
    }
    basin(const basin&) = delete;
    basin& operator=(const basin&) = delete;

    void step()
    {
        all_ok(cudaEventRecord(ebb_.h, water_));
        all_ok(cudaStreamWaitEvent(shore_, ebb_.h, 0));
        advance<50><<<8, 128, 0, shore_>>>(field_, cells_ - coast_, coast_, 2);
        all_ok(cudaGetLastError());
        advance<25><<<8, 128, 0, water_>>>(field_, 0, cells_ - coast_, 1);
        all_ok(cudaGetLastError());
        all_ok(cudaEventRecord(flood_.h, shore_));
        all_ok(cudaStreamWaitEvent(water_, flood_.h, 0));
        ++steps_;
    }

    void settle() { all_ok(cudaStreamSynchronize(water_)); }
    cudaStream_t clock_stream() const { return water_; }
    int steps() const { return steps_; }

    int mismatches(int* scratch)
    {
        all_ok(cudaMemcpyAsync(scratch, field_, cells_ * sizeof(int), cudaMemcpyDeviceToHost, water_));
        settle();
        int bad = 0;
        for (int i = 0; i < cells_; ++i) bad += scratch[i] != (i < cells_ - coast_ ? 1 : 2) * steps_;
        return bad;
    }

private:
    int cells_, coast_, steps_ = 0;
    int* field_ = nullptr;
    cudaStream_t water_{}, shore_{};
    event<cudaEventDisableTiming> ebb_, flood_;
};

} // namespace ocean
