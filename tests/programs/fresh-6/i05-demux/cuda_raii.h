#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <type_traits>

namespace gpu {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};
inline void ok(cudaError_t e) {
    if (e != cudaSuccess) throw Error(cudaGetErrorName(e));
}

struct StreamDel {
    void operator()(cudaStream_t s) const noexcept { cudaStreamDestroy(s); }
};
struct EventDel {
    void operator()(cudaEvent_t e) const noexcept { cudaEventDestroy(e); }
};
using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDel>;
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventDel>;

inline Stream make_stream() {
    cudaStream_t s;
    ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return Stream(s);
}
inline Event make_event() {
    cudaEvent_t e;
    ok(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return Event(e);
}

template <class T>
class Buffer {
public:
    explicit Buffer(std::size_t n) : n_(n) { ok(cudaMalloc(&p_, n * sizeof(T))); }
    Buffer(Buffer&& o) noexcept : p_(o.p_), n_(o.n_) { o.p_ = nullptr; }
    ~Buffer() { cudaFree(p_); }
    T* data() const { return p_; }
    std::size_t bytes() const { return n_ * sizeof(T); }

private:
    T* p_ = nullptr;
    std::size_t n_ = 0;
};

struct PinnedDel {
    void operator()(void* p) const noexcept { cudaFreeHost(p); }
};
template <class T>
std::unique_ptr<T[], PinnedDel> make_pinned(std::size_t n) {
    void* p = nullptr;
    ok(cudaMallocHost(&p, n * sizeof(T)));
    return std::unique_ptr<T[], PinnedDel>(static_cast<T*>(p));
}

}  // namespace gpu
