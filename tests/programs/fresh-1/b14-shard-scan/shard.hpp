#pragma once
// Shard scanner: every thread walks its own shards of a log with its own device queue.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>

namespace scan {

inline void expect(cudaError_t rc)
{
    if (rc != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::exit(1);
    }
}

struct PinnedDeleter {
    void operator()(void *p) const noexcept { cudaFreeHost(p); }
};

template <typename T>
class Pinned {
public:
    explicit Pinned(std::size_t n) : size_(n)
    {
        void *raw = nullptr;
        expect(cudaHostAlloc(&raw, n * sizeof(T), cudaHostAllocPortable));
        data_.reset(static_cast<T *>(raw));
    }
    [[nodiscard]] std::span<T> view() noexcept { return {data_.get(), size_}; }
    T *data() noexcept { return data_.get(); }

private:
    std::unique_ptr<T, PinnedDeleter> data_;
    std::size_t size_;
};

inline constexpr std::size_t kShardWords = std::size_t{1} << 17;
inline constexpr std::uint64_t kMatchNs = 20'000'000;
inline constexpr int kThreads = 4;
inline constexpr int kShardsPerThread = 6;

class ShardWorker {
public:
    ShardWorker(int id, cudaMemPool_t pool);
    void load(int shard);
    void process(int shard);
    [[nodiscard]] int mismatches();

private:
    int id_;
    cudaMemPool_t pool_;
    Pinned<std::uint32_t> input_;
    Pinned<std::uint64_t> hits_;
};

}  // namespace scan
