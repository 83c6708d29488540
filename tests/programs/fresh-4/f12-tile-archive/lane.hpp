#pragma once
// Field archive: tiles of a large field are compressed on several lanes, each
// lane with its own stream, device tile and result buffer.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace archive {

inline void require(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

struct StreamCloser {
    using pointer = cudaStream_t;
    void operator()(cudaStream_t s) const noexcept { cudaStreamDestroy(s); }
};
using Stream = std::unique_ptr<CUstream_st, StreamCloser>;

inline Stream make_stream() {
    cudaStream_t s = nullptr;
    require(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return Stream(s);
}

template <class T>
class DeviceTile {
public:
    explicit DeviceTile(std::size_t n) : n_(n) { require(cudaMalloc(reinterpret_cast<void**>(&p_), n * sizeof(T))); }
    ~DeviceTile() { cudaFree(p_); }
    DeviceTile(DeviceTile&& o) noexcept : p_(std::exchange(o.p_, nullptr)), n_(o.n_) {}
    DeviceTile& operator=(DeviceTile&&) = delete;
    T* data() const { return p_; }
    std::size_t bytes() const { return n_ * sizeof(T); }

private:
    T* p_ = nullptr;
    std::size_t n_ = 0;
};

template <class T>
struct HostRelease {
    void operator()(T* p) const noexcept { cudaFreeHost(p); }
};
template <class T>
using HostTile = std::unique_ptr<T[], HostRelease<T>>;

template <class T>
HostTile<T> make_host_tile(std::size_t n) {
    void* p = nullptr;
    require(cudaHostAlloc(&p, n * sizeof(T), cudaHostAllocDefault));
    return HostTile<T>(static_cast<T*>(p));
}

class Lane {
public:
    Lane(int id, std::size_t tile_elems);
    void compress(int tile);
    void finish() const { require(cudaStreamSynchronize(stream_.get())); }
    long mismatches() const;

private:
    int id_;
    std::size_t elems_;
    Stream stream_;
    DeviceTile<float> tile_;
    HostTile<float> result_;
    int last_tile_ = -1;
};

float compressed_value(int tile, std::size_t i);

}  // namespace archive
