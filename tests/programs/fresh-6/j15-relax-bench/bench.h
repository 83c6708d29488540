#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define BENCH_CUDA(call)                                              \
    do {                                                              \
        cudaError_t bench_e = (call);                                 \
        if (bench_e != cudaSuccess) {                                 \
            std::printf("ERROR %s\n", cudaGetErrorName(bench_e));     \
            std::exit(1);                                             \
        }                                                             \
    } while (0)

namespace bench {

struct Result {
    std::string name;
    int reps;
    float ms_per_rep;
};

class Subject {
public:
    virtual ~Subject() = default;
    virtual std::string name() const = 0;
    virtual void step(cudaStream_t origin) = 0;
    virtual void finish() = 0;
};

// Times the steady state of a Subject with a pair of events.
class Harness {
public:
    Harness()
    {
        BENCH_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        BENCH_CUDA(cudaEventCreate(&begin_));
        BENCH_CUDA(cudaEventCreate(&end_));
    }
    ~Harness()
    {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
        cudaStreamDestroy(stream_);
    }

    Result run(Subject &subject, int warmup, int reps)
    {
        for (int i = 0; i < warmup; ++i)
            subject.step(stream_);
        subject.finish();
        BENCH_CUDA(cudaStreamSynchronize(stream_));

        float ms = 0.f;
        BENCH_CUDA(cudaEventRecord(begin_, stream_));
        for (int i = 0; i < reps; ++i)
            subject.step(stream_);
        BENCH_CUDA(cudaEventRecord(end_, stream_));
        BENCH_CUDA(cudaEventSynchronize(end_));
        BENCH_CUDA(cudaEventElapsedTime(&ms, begin_, end_));
        subject.finish();
        return Result{subject.name(), reps, ms / (float)reps};
    }

private:
    cudaStream_t stream_ = nullptr;
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

} // namespace bench
