#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <list>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nimbus {

struct CudaFailure : std::runtime_error {
    explicit CudaFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void ensure(cudaError_t e)
{
    if (e != cudaSuccess) throw CudaFailure(e);
}

struct Block {
    float* ptr;
    std::size_t count;
    cudaStream_t home;
};

// Caching allocator with a free list per stream and size.
class BlockCache {
public:
    static BlockCache& get();

    Block* take(std::size_t count, cudaStream_t home);
    void give(Block* b, const std::vector<cudaStream_t>& visitors);
    void trim();

private:
    struct Parked {
        Block* block;
        std::vector<cudaEvent_t> pending;
    };
    using Key = std::pair<cudaStream_t, std::size_t>;

    void sweep();
    static bool settled(Parked& p);

    std::map<Key, std::vector<Block*>> idle_;
    std::list<Parked> parked_;
};

} // namespace nimbus
