#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace spec {

inline void must(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

struct StreamDrop { void operator()(cudaStream_t s) const { cudaStreamDestroy(s); } };
struct EventDrop { void operator()(cudaEvent_t e) const { cudaEventDestroy(e); } };
struct DeviceDrop { void operator()(void* p) const { cudaFree(p); } };
struct PinnedDrop { void operator()(void* p) const { cudaFreeHost(p); } };

using StreamPtr = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDrop>;
using EventPtr = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventDrop>;
using Block = std::unique_ptr<void, DeviceDrop>;

inline StreamPtr new_stream() {
    cudaStream_t s;
    must(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return StreamPtr(s);
}
inline EventPtr new_event() {
    cudaEvent_t e;
    must(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return EventPtr(e);
}
inline Block new_block(size_t bytes) {
    void* p;
    must(cudaMalloc(&p, bytes));
    return Block(p);
}

using Word = long long;

// Spectral weights, rewritten by the host from frame to frame.
class Weights {
public:
    explicit Weights(int n) : n_(n) {
        void* p;
        must(cudaMallocHost(&p, n * sizeof(Word)));
        p_.reset(p);
    }
    Word* data() const { return static_cast<Word*>(p_.get()); }
    int size() const { return n_; }
    void shape(int frame) {
        for (int k = 0; k < n_; ++k) data()[k] = (k * 5 + frame * 3) % 13 - 6;
    }

private:
    int n_;
    std::unique_ptr<void, PinnedDrop> p_;
};

}  // namespace spec
