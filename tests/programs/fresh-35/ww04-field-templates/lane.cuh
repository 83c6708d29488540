#pragma once
// fx: lazily evaluated device fields.  lane.cuh - execution lanes and block storage.

#include <cuda_runtime.h>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace fx {

struct cuda_error : std::runtime_error {
    explicit cuda_error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e)
{
    if (e != cudaSuccess) throw cuda_error(e);
}

class Lane {
public:
    Lane() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Lane() { cudaStreamDestroy(stream_); }
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    cudaStream_t stream() const { return stream_; }
    void wait() const { check(cudaStreamSynchronize(stream_)); }

private:
    cudaStream_t stream_ = nullptr;
};

// Equal blocks for fields and intermediates, kept so that steady state allocates nothing.
class Workspace {
public:
    Workspace(std::size_t cells, std::size_t reserve) : cells_(cells)
    {
        for (std::size_t k = 0; k < reserve; ++k) release(allocate());
    }
    ~Workspace()
    {
        for (double* p : owned_) cudaFree(p);
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    std::size_t cells() const { return cells_; }

    double* acquire()
    {
        if (free_.empty()) return allocate();
        double* p = free_.back();
        free_.pop_back();
        return p;
    }
    void release(double* p) { free_.push_back(p); }

private:
    double* allocate()
    {
        double* p = nullptr;
        check(cudaMalloc(&p, cells_ * sizeof(double)));
        owned_.push_back(p);
        return p;
    }

    std::size_t cells_;
    std::vector<double*> owned_, free_;
};

}  // namespace fx
