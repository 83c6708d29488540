#pragma once
#include <cuda_runtime_api.h>
#include <cstddef>
#include <stdexcept>

namespace mem {

class cuda_failure : public std::runtime_error {
public:
    explicit cuda_failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e)
{
    if (e != cudaSuccess) throw cuda_failure(e);
}

// Device memory in stream order.
//
// allocate():   the block may be used by anything enqueued in `stream` after
//               the call.
// deallocate(): everything enqueued in `stream` before the call may still use
//               the block; the caller need not wait for it.
class device_resource {
public:
    virtual ~device_resource() = default;
    void* allocate(std::size_t bytes, cudaStream_t stream) { return do_allocate(bytes, stream); }
    void deallocate(void* p, std::size_t bytes, cudaStream_t stream) noexcept
    {
        if (p) do_deallocate(p, bytes, stream);
    }

private:
    virtual void* do_allocate(std::size_t bytes, cudaStream_t stream) = 0;
    virtual void do_deallocate(void* p, std::size_t bytes, cudaStream_t stream) noexcept = 0;
};

class cuda_resource final : public device_resource {
    void* do_allocate(std::size_t bytes, cudaStream_t) override
    {
        void* p = nullptr;
        check(cudaMalloc(&p, bytes));
        return p;
    }
    void do_deallocate(void* p, std::size_t, cudaStream_t) noexcept override { cudaFree(p); }
};

}  // namespace mem
