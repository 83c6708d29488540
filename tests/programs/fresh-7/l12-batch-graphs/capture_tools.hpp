#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace rt {

inline void require(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(2);
}

struct StreamDeleter { void operator()(cudaStream_t s) const { cudaStreamDestroy(s); } };
struct EventDeleter { void operator()(cudaEvent_t e) const { cudaEventDestroy(e); } };
struct ExecDeleter { void operator()(cudaGraphExec_t e) const { cudaGraphExecDestroy(e); } };

using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDeleter>;
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventDeleter>;
using GraphExec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, ExecDeleter>;

inline Stream makeStream() {
    cudaStream_t s;
    require(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return Stream(s);
}

inline Event makeEvent() {
    cudaEvent_t e;
    require(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return Event(e);
}

class CaptureModeGuard {
public:
    explicit CaptureModeGuard(cudaStreamCaptureMode mode) : mode_(mode) {
        require(cudaThreadExchangeStreamCaptureMode(&mode_));
    }
    ~CaptureModeGuard() { require(cudaThreadExchangeStreamCaptureMode(&mode_)); }
    CaptureModeGuard(const CaptureModeGuard&) = delete;

private:
    cudaStreamCaptureMode mode_;
};

// Slab arena: grows by whole slabs, gives everything back when it dies.
class Arena {
public:
    explicit Arena(size_t slabBytes) : slabBytes_(slabBytes) {}
    ~Arena() {
        for (void* s : slabs_) cudaFree(s);
    }
    Arena(const Arena&) = delete;

    template <class T>
    T* make(size_t count) {
        const size_t bytes = (count * sizeof(T) + 255) / 256 * 256;
        if (slabs_.empty() || used_ + bytes > slabBytes_) {
            CaptureModeGuard relaxed(cudaStreamCaptureModeRelaxed);
            void* slab = nullptr;
            require(cudaMalloc(&slab, slabBytes_));
            slabs_.push_back(slab);
            used_ = 0;
        }
        auto* p = reinterpret_cast<T*>(static_cast<char*>(slabs_.back()) + used_);
        used_ += bytes;
        return p;
    }

private:
    size_t slabBytes_;
    size_t used_ = 0;
    std::vector<void*> slabs_;
};

template <class T>
class Pinned {
public:
    explicit Pinned(size_t n) : n_(n) { require(cudaMallocHost(&p_, n * sizeof(T))); }
    ~Pinned() { cudaFreeHost(p_); }
    Pinned(const Pinned&) = delete;
    T* data() const { return p_; }
    T& operator[](size_t i) const { return p_[i]; }
    size_t bytes() const { return n_ * sizeof(T); }

private:
    T* p_ = nullptr;
    size_t n_;
};

}  // namespace rt
