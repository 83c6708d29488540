#pragma once
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace fstore {

struct Block {
    void* ptr = nullptr;
    std::size_t bytes = 0;
};

// Device blocks handed out by size.
class BlockCache {
public:
    explicit BlockCache(std::size_t idle_limit) : idle_limit_(idle_limit) {}
    ~BlockCache();

    void reserve(std::size_t count, std::size_t bytes);
    Block acquire(std::size_t bytes);
    void release(Block b);
    void compact();
private:
    std::size_t idle_limit_;
    std::vector<Block> idle_blocks_;
    std::vector<Block> retired_;
    std::size_t idle_ = 0;
};

// Scoped loan of a block.
class Loan {
public:
    Loan(BlockCache& cache, std::size_t bytes) : cache_(cache), block_(cache.acquire(bytes)) {}
    ~Loan() { cache_.release(block_); }
    template <class T> T* as() const { return static_cast<T*>(block_.ptr); }
private:
    BlockCache& cache_;
    Block block_;
};
}  // namespace fstore
