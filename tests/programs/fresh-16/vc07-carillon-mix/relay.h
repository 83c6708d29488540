#pragma once
// Short-lived streams for work that is asked for and forgotten.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <cuda_runtime.h>

namespace relay {

inline void check(cudaError_t rc) {
    if (rc != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::exit(1);
    }
}

// Everything queued on `from` so far comes before whatever is queued on `to` from now on.
inline void handOver(cudaStream_t from, cudaStream_t to) {
    cudaEvent_t mark = nullptr;
    check(cudaEventCreateWithFlags(&mark, cudaEventDisableTiming));
    check(cudaEventRecord(mark, from));
    check(cudaStreamWaitEvent(to, mark, 0));
    check(cudaEventDestroy(mark));
}

class Runner {
public:
    explicit Runner(cudaStream_t home) : home_(home) {
        check(cudaStreamCreateWithFlags(&own_, cudaStreamNonBlocking));
        handOver(home_, own_);
    }
    Runner(Runner&& other) noexcept : home_(other.home_), own_(std::exchange(other.own_, nullptr)) {}
    Runner(const Runner&) = delete;
    ~Runner() {
        if (own_) check(cudaStreamDestroy(own_));
    }

    template <class Work>
    Runner& run(Work&& work) {
        std::forward<Work>(work)(own_);
        check(cudaGetLastError());
        return *this;
    }

    void comeHome() { handOver(own_, home_); }

    cudaStream_t stream() const { return own_; }

private:
    cudaStream_t home_;
    cudaStream_t own_ = nullptr;
};

struct Strip {
    float* data = nullptr;
    std::size_t count = 0;

    static Strip on(cudaStream_t stream, std::size_t count) {
        Strip s;
        s.count = count;
        check(cudaMallocAsync(reinterpret_cast<void**>(&s.data), count * sizeof(float), stream));
        return s;
    }
    void leave(cudaStream_t stream) {
        check(cudaFreeAsync(data, stream));
        data = nullptr;
    }
};

}  // namespace relay
