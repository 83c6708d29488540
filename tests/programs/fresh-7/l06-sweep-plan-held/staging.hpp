#ifndef RELAX_STAGING_HPP
#define RELAX_STAGING_HPP

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace relax {

inline void ok(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

class staging_pool;

// Move-only claim on one page-locked block.
class lease {
public:
    lease() = default;
    lease(staging_pool* pool, void* block) : pool_(pool), block_(block) {}
    lease(lease&& o) noexcept : pool_(std::exchange(o.pool_, nullptr)), block_(std::exchange(o.block_, nullptr)) {}
    lease& operator=(lease&& o) noexcept
    {
        std::swap(pool_, o.pool_);
        std::swap(block_, o.block_);
        return *this;
    }
    inline ~lease();

    template <typename T>
    T* as() const { return static_cast<T*>(block_); }

private:
    staging_pool* pool_ = nullptr;
    void* block_ = nullptr;
};

class staging_pool {
public:
    staging_pool(std::size_t block_bytes, int blocks)
    {
        for (int i = 0; i < blocks; ++i) {
            void* p = nullptr;
            ok(cudaMallocHost(&p, block_bytes));
            all_.push_back(p);
        }
        free_ = all_;
    }
    staging_pool(const staging_pool&) = delete;
    ~staging_pool()
    {
        for (void* p : all_) cudaFreeHost(p);
    }

    lease take()
    {
        if (free_.empty()) {
            std::printf("ERROR stagingExhausted\n");
            std::exit(1);
        }
        void* p = free_.back();
        free_.pop_back();
        return lease(this, p);
    }
    void give(void* p) { free_.push_back(p); }

private:
    std::vector<void*> all_;
    std::vector<void*> free_;
};

inline lease::~lease()
{
    if (pool_) pool_->give(block_);
}

}  // namespace relax
#endif
