#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

#define DESK_CUDA(call)                                               \
    do {                                                              \
        cudaError_t e_ = (call);                                      \
        if (e_ != cudaSuccess) {                                      \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));          \
            std::fflush(stdout);                                      \
            std::_Exit(2);                                            \
        }                                                             \
    } while (0)

namespace desk {
// Working memory shared by all books of the desk. Blocks are of one size and are
// cut up by whoever leases one.
class ScratchPool {
public:
    class Lease {
    public:
        Lease(ScratchPool& pool, int block, cudaStream_t stream)
            : pool_(&pool), block_(block), stream_(stream) {}
        Lease(Lease&& o) noexcept : pool_(o.pool_), block_(o.block_), stream_(o.stream_) {
            o.pool_ = nullptr;
        }
        Lease(const Lease&) = delete;
        ~Lease() {
            if (pool_) pool_->giveBack(block_, stream_);
        }

        template <class T>
        T* carve(std::size_t count) {
            const std::size_t at = (used_ + 255) / 256 * 256;
            used_ = at + count * sizeof(T);
            return reinterpret_cast<T*>(static_cast<char*>(pool_->blocks_[block_].base) + at);
        }
        std::size_t left() const { return pool_->blockBytes_ - (used_ + 255) / 256 * 256; }

    private:
        ScratchPool* pool_;
        int block_;
        cudaStream_t stream_;
        std::size_t used_ = 0;
    };

    ScratchPool(int blocks, std::size_t blockBytes);
    ~ScratchPool();
    ScratchPool(const ScratchPool&) = delete;
    Lease lease(cudaStream_t stream);
private:
    struct Block {
        void* base = nullptr;
        cudaEvent_t idle = nullptr;
    };
    void giveBack(int block, cudaStream_t stream);

    std::size_t blockBytes_;
    std::vector<Block> blocks_;
    std::deque<int> free_;
};
}  // namespace desk
