// Caching arena for tensor storage.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace tl {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

#define TL_CHECK(call)                                   \
    do {                                                 \
        cudaError_t tl_status_ = (call);                 \
        if (tl_status_ != cudaSuccess) throw ::tl::CudaError(tl_status_); \
    } while (0)

class Arena : public std::enable_shared_from_this<Arena> {
public:
    using Block = std::shared_ptr<float>;

    static std::shared_ptr<Arena> create() { return std::shared_ptr<Arena>(new Arena); }

    ~Arena() {
        for (auto& bucket : idle_)
            for (float* p : bucket.second) cudaFree(p);
    }

    // Storage goes back to the arena when the last reference is dropped.
    Block take(std::size_t n) {
        const std::size_t size = round_up(n);
        float* p = nullptr;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            auto& bucket = idle_[size];
            if (!bucket.empty()) {
                p = bucket.back();
                bucket.pop_back();
                ++hits_;
            }
        }
        if (!p) TL_CHECK(cudaMalloc(reinterpret_cast<void**>(&p), size * sizeof(float)));
        return Block(p, [self = shared_from_this(), size](float* q) { self->give(q, size); });
    }

    std::size_t hits() const { return hits_; }

private:
    Arena() = default;

    static std::size_t round_up(std::size_t n) { return (n + 1023) / 1024 * 1024; }

    void give(float* p, std::size_t size) {
        std::lock_guard<std::mutex> lock(mutex_);
        idle_[size].push_back(p);
    }

    std::mutex mutex_;
    std::map<std::size_t, std::vector<float*>> idle_;
    std::size_t hits_ = 0;
};

}  // namespace tl
