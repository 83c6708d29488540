#pragma once
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

#define GPU(call)                                                    \
    do {                                                             \
        if (cudaError_t err = (call); err != cudaSuccess) {          \
            std::printf("ERROR %s\n", cudaGetErrorName(err));        \
            std::fflush(stdout);                                     \
            std::_Exit(1);                                           \
        }                                                            \
    } while (0)

// A fixed number of page-locked buffers, handed out as leases.
class StagingPool {
public:
    class Lease {
    public:
        Lease() = default;
        Lease(StagingPool* pool, void* data) : pool_(pool), data_(data) {}
        Lease(Lease&& other) noexcept
            : pool_(std::exchange(other.pool_, nullptr)), data_(std::exchange(other.data_, nullptr)) {}
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (pool_) pool_->restore(data_);
        }
        template <class T>
        T* as() const {
            return static_cast<T*>(data_);
        }

    private:
        StagingPool* pool_ = nullptr;
        void* data_ = nullptr;
    };

    StagingPool(int count, std::size_t bytes) {
        for (int i = 0; i < count; ++i) {
            void* p = nullptr;
            GPU(cudaMallocHost(&p, bytes));
            all_.push_back(p);
        }
        free_ = all_;
    }
    ~StagingPool() {
        for (void* p : all_) cudaFreeHost(p);
    }

    Lease acquire() {
        std::unique_lock<std::mutex> lock(mutex_);
        available_.wait(lock, [this] { return !free_.empty(); });
        void* p = free_.back();
        free_.pop_back();
        return Lease(this, p);
    }

private:
    void restore(void* p) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            free_.push_back(p);
        }
        available_.notify_one();
    }

    std::mutex mutex_;
    std::condition_variable available_;
    std::vector<void*> all_;
    std::vector<void*> free_;
};
