#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include <cuda_runtime.h>

namespace rank {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

// Per-worker caching allocator: best fit among the cached blocks, at most twice as large as asked for.
class CachingAllocator {
public:
    CachingAllocator() = default;
    CachingAllocator(const CachingAllocator&) = delete;
    CachingAllocator& operator=(const CachingAllocator&) = delete;

    ~CachingAllocator() {
        for (auto& [size, ptr] : cached_) cudaFree(ptr);
    }

    void* take(std::size_t bytes) {
        const std::size_t size = (bytes + kGranule - 1) / kGranule * kGranule;
        if (auto it = cached_.lower_bound(size); it != cached_.end() && it->first <= 2 * size) {
            void* hit = it->second;
            live_.emplace(hit, it->first);
            cached_.erase(it);
            return hit;
        }
        void* fresh = nullptr;
        check(cudaMalloc(&fresh, size));
        live_.emplace(fresh, size);
        return fresh;
    }

    void give(void* ptr) {
        auto it = live_.find(ptr);
        cached_.emplace(it->second, ptr);
        live_.erase(it);
    }

private:
    static constexpr std::size_t kGranule = 512;
    std::multimap<std::size_t, void*> cached_;
    std::unordered_map<void*, std::size_t> live_;
};

struct Returner {
    CachingAllocator* home = nullptr;
    void operator()(float* p) const { home->give(p); }
};

class Tensor {
public:
    Tensor(CachingAllocator& a, int rows, int cols)
        : data_(static_cast<float*>(a.take(sizeof(float) * rows * cols)), Returner{&a}), rows_(rows), cols_(cols) {}
    float* data() const { return data_.get(); }
    int rows() const { return rows_; }
    int cols() const { return cols_; }

private:
    std::unique_ptr<float, Returner> data_;
    int rows_, cols_;
};

}  // namespace rank
