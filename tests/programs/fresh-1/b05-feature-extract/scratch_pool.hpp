#pragma once

#include <cuda_runtime.h>

#include <concepts>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <source_location>
#include <utility>
#include <vector>

inline void must(cudaError_t rc, std::source_location at = std::source_location::current())
{
    if (rc == cudaSuccess)
        return;
    std::fprintf(stderr, "%s:%u\n", at.file_name(), static_cast<unsigned>(at.line()));
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::exit(1);
}

namespace vision {

template <typename T>
concept Plain = std::is_trivially_copyable_v<T>;

// Device scratch planes of one size, recycled between requests.
template <Plain T>
class ScratchPool {
public:
    class Lease {
    public:
        Lease(ScratchPool &pool, T *plane) : pool_(&pool), plane_(plane) {}
        Lease(Lease &&o) noexcept : pool_(o.pool_), plane_(std::exchange(o.plane_, nullptr)) {}
        Lease &operator=(Lease &&) = delete;
        ~Lease()
        {
            if (plane_)
                pool_->give_back(plane_);
        }
        T *data() const { return plane_; }

    private:
        ScratchPool *pool_;
        T *plane_;
    };

    explicit ScratchPool(std::size_t count) : count_(count) {}
    ScratchPool(const ScratchPool &) = delete;
    ~ScratchPool()
    {
        for (T *p : owned_)
            cudaFree(p);
    }

    [[nodiscard]] Lease acquire()
    {
        std::scoped_lock lock(mutex_);
        if (idle_.empty()) {
            T *fresh = nullptr;
            must(cudaMalloc(&fresh, count_ * sizeof(T)));
            owned_.push_back(fresh);
            idle_.push_back(fresh);
        }
        T *plane = idle_.back();
        idle_.pop_back();
        return Lease{*this, plane};
    }

    std::size_t planes() const { return owned_.size(); }

private:
    void give_back(T *plane)
    {
        std::scoped_lock lock(mutex_);
        idle_.push_back(plane);
    }

    std::size_t count_;
    std::mutex mutex_;
    std::vector<T *> owned_;
    std::vector<T *> idle_;
};

}  // namespace vision
