#pragma once
#include <cuda_runtime.h>

#include <stdexcept>

namespace lattice {

struct Error : std::runtime_error {
    explicit Error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

#define LATTICE_CALL(expr)                                   \
    do {                                                     \
        const cudaError_t lattice_e = (expr);                \
        if (lattice_e != cudaSuccess) throw ::lattice::Error(lattice_e); \
    } while (0)

// A point in a lane's work that others can refer to.
class Milestone {
public:
    Milestone() { LATTICE_CALL(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    ~Milestone() { cudaEventDestroy(event_); }
    Milestone(const Milestone&) = delete;
    Milestone& operator=(const Milestone&) = delete;

    void mark(cudaStream_t s) {
        LATTICE_CALL(cudaEventRecord(event_, s));
        ++count_;
    }
    void hold(cudaStream_t s) const {
        if (count_) LATTICE_CALL(cudaStreamWaitEvent(s, event_, 0));
    }
    void reach() const {
        if (count_) LATTICE_CALL(cudaEventSynchronize(event_));
    }
    unsigned long count() const { return count_; }

private:
    cudaEvent_t event_ = nullptr;
    unsigned long count_ = 0;
};

class Lane {
public:
    Lane() { LATTICE_CALL(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Lane() {
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    cudaStream_t stream() const { return stream_; }
    void after(const Milestone& m) { m.hold(stream_); }
    void after(const Lane& other) { other.latest_.hold(stream_); }
    void publish() { latest_.mark(stream_); }

private:
    cudaStream_t stream_ = nullptr;
    Milestone latest_;
};

}  // namespace lattice
