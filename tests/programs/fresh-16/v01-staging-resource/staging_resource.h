#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace telem {

[[noreturn]] void fail(cudaError_t e);

inline void check(cudaError_t e)
{
    if (e != cudaSuccess) fail(e);
}

// Fixed-size page-locked blocks for uploads.  A block is handed out for a
// stream and given back in stream order.
class staging_resource {
public:
    staging_resource(std::size_t block_bytes, int blocks);
    ~staging_resource();
    staging_resource(const staging_resource&) = delete;
    staging_resource& operator=(const staging_resource&) = delete;

    void* allocate();
    void deallocate_async(void* block, cudaStream_t stream);

    std::size_t block_bytes() const { return block_bytes_; }
    std::size_t reclaims() const { return reclaims_; }

private:
    struct ticket {
        staging_resource* owner;
        void* block;
    };

    static void CUDART_CB on_stream_reached(void* user);
    void give_back(void* block);
    void reclaim_oldest();

    std::size_t block_bytes_;
    std::size_t reclaims_ = 0;
    std::vector<void*> all_;
    std::mutex mutex_;
    std::vector<void*> free_;
    std::deque<cudaStream_t> pending_;
};

}  // namespace telem
