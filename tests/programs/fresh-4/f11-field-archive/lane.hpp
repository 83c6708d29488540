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
    std::vector<float> result_;
    int last_tile_ = -1;
};

float compressed_value(int tile, std::size_t i);

}  // namespace archive
