#pragma once
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

inline void gpu_check(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

// Page-locked blocks handed out as shared handles; the last owner gives the block back.
template <class T>
class BlockPool {
public:
    struct Block {
        T* data;
        std::size_t capacity;
    };
    using Handle = std::shared_ptr<Block>;

    BlockPool(std::size_t blocks, std::size_t capacity) {
        for (std::size_t i = 0; i < blocks; ++i) {
            T* p = nullptr;
            gpu_check(cudaMallocHost(&p, capacity * sizeof(T)));
            storage_.push_back(std::make_unique<Block>(Block{p, capacity}));
            free_.push_back(storage_.back().get());
        }
    }
    ~BlockPool() {
        for (auto& b : storage_) cudaFreeHost(b->data);
    }
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    Handle acquire() {
        std::unique_lock<std::mutex> lk(m_);
        cv_.wait(lk, [this] { return !free_.empty(); });
        Block* b = free_.back();
        free_.pop_back();
        return Handle(b, [this](Block* x) { recycle(x); });
    }

private:
    void recycle(Block* b) {
        {
            std::lock_guard<std::mutex> lk(m_);
            free_.push_back(b);
        }
        cv_.notify_one();
    }

    std::mutex m_;
    std::condition_variable cv_;
    std::vector<std::unique_ptr<Block>> storage_;
    std::vector<Block*> free_;
};
