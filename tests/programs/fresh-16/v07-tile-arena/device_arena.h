#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

namespace tiles {

inline void ensure(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// Caching arena: blocks go to bins by rounded size and stay there until trim().
class device_arena {
public:
    device_arena() = default;
    device_arena(const device_arena&) = delete;
    device_arena& operator=(const device_arena&) = delete;
    ~device_arena() { trim(); }

    void* take(std::size_t bytes)
    {
        std::vector<void*>& bin = bins_[round_up(bytes)];
        if (!bin.empty()) {
            void* p = bin.back();
            bin.pop_back();
            ++hits_;
            return p;
        }
        void* p = nullptr;
        ensure(cudaMalloc(&p, round_up(bytes)));
        return p;
    }

    void put(void* p, std::size_t bytes) { bins_[round_up(bytes)].push_back(p); }

    void reserve(std::size_t bytes, int blocks)
    {
        std::vector<void*> held;
        for (int i = 0; i < blocks; ++i) held.push_back(take(bytes));
        for (void* p : held) put(p, bytes);
    }

    void trim()
    {
        for (auto& bin : bins_)
            for (void* p : bin.second) cudaFree(p);
        bins_.clear();
    }

    std::size_t hits() const { return hits_; }

private:
    static std::size_t round_up(std::size_t n) { return (n + 4095) / 4096 * 4096; }

    std::map<std::size_t, std::vector<void*>> bins_;
    std::size_t hits_ = 0;
};

template <typename T>
class arena_array {
public:
    arena_array(device_arena& arena, std::size_t count)
        : arena_(&arena), count_(count), data_(static_cast<T*>(arena.take(count * sizeof(T))))
    {
    }
    arena_array(arena_array&& o) noexcept
        : arena_(o.arena_), count_(o.count_), data_(std::exchange(o.data_, nullptr))
    {
    }
    arena_array& operator=(arena_array&&) = delete;
    ~arena_array()
    {
        if (data_) arena_->put(data_, count_ * sizeof(T));
    }

    T* data() const { return data_; }
    std::size_t size() const { return count_; }

private:
    device_arena* arena_;
    std::size_t count_;
    T* data_;
};

}  // namespace tiles
