#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace serve {

inline void verify(cudaError_t e) {
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

// Exchanges the thread's capture mode for the length of a scope.
class CaptureManners {
public:
    explicit CaptureManners(cudaStreamCaptureMode mode) : mode_(mode) {
        verify(cudaThreadExchangeStreamCaptureMode(&mode_));
    }
    ~CaptureManners() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    CaptureManners(const CaptureManners&) = delete;
    CaptureManners& operator=(const CaptureManners&) = delete;

private:
    cudaStreamCaptureMode mode_;
};

// Hands out device memory for intermediate results.  Grows in chunks, gives
// nothing back before its own end.
class Workspace {
public:
    explicit Workspace(size_t chunk) : chunk_(chunk) {}
    ~Workspace() {
        for (void* p : chunks_) cudaFree(p);
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    template <class T>
    T* carve(size_t n) {
        const size_t bytes = (n * sizeof(T) + 255) / 256 * 256;
        if (chunks_.empty() || used_ + bytes > room_) grow(bytes);
        T* p = reinterpret_cast<T*>(static_cast<char*>(chunks_.back()) + used_);
        used_ += bytes;
        return p;
    }
    size_t chunks() const { return chunks_.size(); }

private:
    void grow(size_t at_least) {
        CaptureManners manners(cudaStreamCaptureModeRelaxed);
        room_ = at_least > chunk_ ? at_least : chunk_;
        void* p = nullptr;
        verify(cudaMalloc(&p, room_));
        chunks_.push_back(p);
        used_ = 0;
    }

    size_t chunk_;
    size_t room_ = 0;
    size_t used_ = 0;
    std::vector<void*> chunks_;
};

class Stream {
public:
    Stream() { verify(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(s_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return s_; }

private:
    cudaStream_t s_ = nullptr;
};

}  // namespace serve
