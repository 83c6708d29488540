// Scene geometry of the tile farm: device pages and the scene that lives in them.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

namespace tilefarm {

inline void check(cudaError_t status)
{
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(3);
}

struct Sphere { float4 shape, material[3]; };    // shape: x, y, radius, unused
struct Block { void* ptr = nullptr; std::size_t bytes = 0; };

// Blocks of device memory by size class. Everything is reserved when the
// application starts; small blocks circulate, large ones are scene pages.
class BlockStore {
public:
    explicit BlockStore(std::size_t smallLimit) : smallLimit_(smallLimit) {}
    ~BlockStore();

    void reserve(std::size_t bytes);
    Block take(std::size_t bytes);
    void give(Block block) noexcept;
    void trim();

private:
    std::size_t smallLimit_;
    std::multimap<std::size_t, void*> idle_;
    std::vector<void*> retired_;
};

// Owns one block for as long as it lives.
class Page {
public:
    Page(BlockStore& store, std::size_t bytes) : store_(&store), block_(store.take(bytes)) {}
    Page& operator=(Page&& other) noexcept
    {
        std::swap(store_, other.store_);
        std::swap(block_, other.block_);
        return *this;
    }
    ~Page() { if (block_.ptr) store_->give(block_); }

    template <class T> T* as() const { return static_cast<T*>(block_.ptr); }

private:
    BlockStore* store_ = nullptr;
    Block block_;
};

// The spheres of the scene: a host mirror in pinned memory and a device page
// that doubles when it is full.
class Scene {
public:
    Scene(BlockStore& store, std::size_t firstCapacity, std::size_t maxSpheres);
    ~Scene();

    void add(std::size_t spheres, unsigned seed);
    const Sphere* host() const { return mirror_; }
    const Sphere* device() const { return page_.as<Sphere>(); }
    int count() const { return static_cast<int>(count_); }

private:
    BlockStore& store_;
    std::size_t capacity_;
    std::size_t count_ = 0;
    Sphere* mirror_ = nullptr;
    cudaStream_t upload_ = nullptr;
    Page page_;
};

} // namespace tilefarm
