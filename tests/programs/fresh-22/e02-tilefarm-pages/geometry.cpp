#include "geometry.h"

#include <stdexcept>

namespace tilefarm {

BlockStore::~BlockStore()
{
    for (auto& entry : idle_) cudaFree(entry.second);
    trim();
}

void BlockStore::reserve(std::size_t bytes)
{
    void* ptr = nullptr;
    check(cudaMalloc(&ptr, bytes));
    idle_.emplace(bytes, ptr);
}

Block BlockStore::take(std::size_t bytes)
{
    auto found = idle_.find(bytes);
    if (found == idle_.end()) throw std::length_error("size class was not reserved");
    return Block{idle_.extract(found).mapped(), bytes};
}

void BlockStore::give(Block block) noexcept
{
    if (block.bytes <= smallLimit_) idle_.emplace(block.bytes, block.ptr);
    else retired_.push_back(block.ptr);
}

void BlockStore::trim()
{
    for (void* ptr : retired_) check(cudaFree(ptr));
    retired_.clear();
}

Scene::Scene(BlockStore& store, std::size_t firstCapacity, std::size_t maxSpheres)
    : store_(store), capacity_(firstCapacity), page_(store, firstCapacity * sizeof(Sphere))
{
    check(cudaHostAlloc(reinterpret_cast<void**>(&mirror_), maxSpheres * sizeof(Sphere), cudaHostAllocDefault));
    check(cudaStreamCreateWithFlags(&upload_, cudaStreamNonBlocking));
}

Scene::~Scene() { cudaStreamDestroy(upload_), cudaFreeHost(mirror_); }

void Scene::add(std::size_t spheres, unsigned seed)
{
    unsigned state = seed * 2654435761u;
    auto next = [&state](unsigned range) { return float(((state = state * 1664525u + 1013904223u) >> 8) % range); };
    for (std::size_t i = count_; i < count_ + spheres; ++i) {
        const float x = next(64), y = next(64), radius = 1.0f + next(6);
        mirror_[i] = Sphere{make_float4(x, y, radius, 0.0f), {}};
    }
    count_ += spheres;

    if (count_ > capacity_) {
        while (capacity_ < count_) capacity_ *= 2;
        Page larger(store_, capacity_ * sizeof(Sphere));
        page_ = std::move(larger);
    }
    check(cudaMemcpyAsync(page_.as<void>(), mirror_, count_ * sizeof(Sphere), cudaMemcpyHostToDevice, upload_));
    check(cudaStreamSynchronize(upload_));
}

} // namespace tilefarm
