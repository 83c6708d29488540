#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace vision {

inline void must(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

// Changes the capture interaction mode of the calling thread for a scope.
class CaptureMode {
public:
    explicit CaptureMode(cudaStreamCaptureMode mode) : mode_(mode) {
        must(cudaThreadExchangeStreamCaptureMode(&mode_));
    }
    ~CaptureMode() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    CaptureMode(const CaptureMode&) = delete;
    CaptureMode& operator=(const CaptureMode&) = delete;

private:
    cudaStreamCaptureMode mode_;
};

// Device buffers that live as long as the plan; sizes are found while the plan
// is being recorded.
class Workspace {
public:
    Workspace() = default;
    ~Workspace() {
        for (void* p : owned_) cudaFree(p);
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    template <class T> T* get(std::size_t n) {
        CaptureMode relaxed(cudaStreamCaptureModeRelaxed);
        void* p = nullptr;
        must(cudaMalloc(&p, n * sizeof(T)));
        owned_.push_back(p);
        return static_cast<T*>(p);
    }

private:
    std::vector<void*> owned_;
};

struct Stream {
    cudaStream_t s = nullptr;
    Stream() { must(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(s); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
};

struct Event {
    cudaEvent_t e = nullptr;
    Event() { must(cudaEventCreateWithFlags(&e, cudaEventDisableTiming)); }
    ~Event() { cudaEventDestroy(e); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
};

}  // namespace vision
