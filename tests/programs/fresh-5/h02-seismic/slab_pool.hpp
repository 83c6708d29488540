#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <iterator>
#include <vector>

namespace seis {

struct CudaError {
    cudaError_t code;
};

inline void require(cudaError_t code)
{
    if (code != cudaSuccess) throw CudaError{code};
}

using Slab = std::shared_ptr<float>;

// A fixed set of page-locked slabs shared by all shot lines.
class SlabPool {
public:
    SlabPool(std::size_t slabs, std::size_t samples)
    {
        std::generate_n(std::back_inserter(owned_), slabs, [samples] {
            void* raw = nullptr;
            require(cudaMallocHost(&raw, samples * sizeof(float)));
            return static_cast<float*>(raw);
        });
        idle_.assign(owned_.begin(), owned_.end());
    }

    ~SlabPool()
    {
        std::for_each(owned_.begin(), owned_.end(), [](float* p) { cudaFreeHost(p); });
    }

    SlabPool(const SlabPool&) = delete;
    SlabPool& operator=(const SlabPool&) = delete;

    Slab lease()
    {
        std::unique_lock lock(mutex_);
        available_.wait(lock, [this] { return !idle_.empty(); });
        float* slab = idle_.front();
        idle_.pop_front();
        return {slab, [this](float* p) { give_back(p); }};
    }

private:
    void give_back(float* slab)
    {
        {
            std::lock_guard lock(mutex_);
            idle_.push_back(slab);
        }
        available_.notify_one();
    }

    std::vector<float*> owned_;
    std::deque<float*> idle_;
    std::mutex mutex_;
    std::condition_variable available_;
};

}  // namespace seis
