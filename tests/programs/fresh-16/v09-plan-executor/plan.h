#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace infer {

inline void verify(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// One row operation of a fused layer: out = in * scale + bias.
struct row_desc {
    const int* in;
    int* out;
    int scale;
    int bias;
    int width;
};

template <typename T>
class pinned_array {
public:
    pinned_array() = default;
    explicit pinned_array(std::size_t n) : size_(n)
    {
        verify(cudaHostAlloc(reinterpret_cast<void**>(&data_), n * sizeof(T),
                             cudaHostAllocDefault));
    }
    pinned_array(pinned_array&& o) noexcept
        : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0))
    {
    }
    pinned_array& operator=(pinned_array&& o) noexcept
    {
        std::swap(data_, o.data_);
        std::swap(size_, o.size_);
        return *this;
    }
    ~pinned_array()
    {
        if (data_) cudaFreeHost(data_);
    }

    T* data() const { return data_; }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) const { return data_[i]; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

struct graph_deleter {
    void operator()(CUgraphExec_st* g) const { cudaGraphExecDestroy(g); }
};
using graph_exec = std::unique_ptr<CUgraphExec_st, graph_deleter>;

struct plan {
    std::string name;
    std::size_t rows = 0;
    row_desc* device_rows = nullptr;
    graph_exec exec;
};

}  // namespace infer
