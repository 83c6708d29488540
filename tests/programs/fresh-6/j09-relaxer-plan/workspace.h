#pragma once
#include <cuda_runtime.h>
#include <cstddef>

enum class Code { ok = 0, cuda, state };

struct Status {
    Code code = Code::ok;
    cudaError_t cuda = cudaSuccess;
    explicit operator bool() const { return code == Code::ok; }
    static Status from(cudaError_t e) { return Status{e == cudaSuccess ? Code::ok : Code::cuda, e}; }
};

#define PROPAGATE(expr)                                   \
    do {                                                  \
        Status st_ = (expr);                              \
        if (!st_)                                         \
            return st_;                                   \
    } while (0)
#define PROPAGATE_CUDA(expr) PROPAGATE(Status::from(expr))

// One block of device memory shared by the stages of a plan, used by one stage at a time.
class Workspace {
public:
    Status require(std::size_t bytes, float **out)
    {
        if (bytes > capacity_) {
            PROPAGATE_CUDA(cudaFree(ptr_));
            ptr_ = nullptr;
            capacity_ = 0;
            PROPAGATE_CUDA(cudaMalloc(&ptr_, bytes));
            capacity_ = bytes;
        }
        *out = ptr_;
        return {};
    }
    std::size_t capacity() const { return capacity_; }
    void reset()
    {
        cudaFree(ptr_);
        ptr_ = nullptr;
        capacity_ = 0;
    }

private:
    float *ptr_ = nullptr;
    std::size_t capacity_ = 0;
};
