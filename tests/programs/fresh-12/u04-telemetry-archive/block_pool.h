#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

// A fixed number of page-locked sample blocks, lent out and returned by reference count.
class BlockPool {
public:
    BlockPool(int blocks, std::size_t samples);
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;
    ~BlockPool();

    std::shared_ptr<std::int32_t> borrow();
    std::size_t samples() const { return samples_; }

private:
    void giveBack(std::int32_t* p);

    std::size_t samples_;
    std::mutex mutex_;
    std::condition_variable returned_;
    std::vector<std::int32_t*> idle_;
    std::vector<std::int32_t*> all_;
};
