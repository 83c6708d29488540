#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define GPU(expr)                                            \
    do {                                                     \
        cudaError_t err_ = (expr);                           \
        if (err_ != cudaSuccess) {                           \
            std::printf("ERROR %s\n", cudaGetErrorName(err_)); \
            std::exit(1);                                    \
        }                                                    \
    } while (0)

namespace mem {

// First-fit pool of device blocks shared by every operator of a dispatcher.
class ScratchPool {
public:
    ScratchPool() = default;
    ScratchPool(const ScratchPool &) = delete;
    ~ScratchPool()
    {
        for (Block &b : blocks_) {
            cudaEventDestroy(b.retired);
            cudaFree(b.ptr);
        }
    }

    int take(std::size_t bytes, cudaStream_t stream)
    {
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            if (!blocks_[i].busy && blocks_[i].bytes >= bytes) {
                blocks_[i].busy = true;
                GPU(cudaStreamWaitEvent(stream, blocks_[i].retired, 0));
                return (int)i;
            }
        Block b;
        GPU(cudaMalloc(&b.ptr, bytes));
        GPU(cudaEventCreateWithFlags(&b.retired, cudaEventDisableTiming));
        b.bytes = bytes;
        b.busy = true;
        blocks_.push_back(b);
        return (int)blocks_.size() - 1;
    }

    void give(int id, cudaStream_t stream)
    {
        GPU(cudaEventRecord(blocks_[id].retired, stream));
        blocks_[id].busy = false;
    }

    void *address(int id) const { return blocks_[id].ptr; }
    std::size_t blocks() const { return blocks_.size(); }

private:
    struct Block {
        void *ptr = nullptr;
        cudaEvent_t retired = nullptr;
        std::size_t bytes = 0;
        bool busy = false;
    };
    std::vector<Block> blocks_;
};

template <class T>
class Lease {
public:
    Lease(ScratchPool &pool, std::size_t count, cudaStream_t stream)
        : pool_(&pool), stream_(stream), id_(pool.take(count * sizeof(T), stream))
    {
    }
    Lease(const Lease &) = delete;
    ~Lease() { pool_->give(id_, stream_); }
    T *data() const { return static_cast<T *>(pool_->address(id_)); }

private:
    ScratchPool *pool_;
    cudaStream_t stream_;
    int id_;
};

} // namespace mem
