#include "slab_pool.h"

#include <cuda_runtime.h>

#include "check.h"

namespace strata {

SlabPool::SlabPool(int count, std::size_t floats) : floats_(floats) {
    for (int i = 0; i < count; ++i) {
        auto s = std::make_unique<Slab>();
        s->floats = floats;
        STRATA_OK(cudaMallocHost(reinterpret_cast<void**>(&s->host), floats * sizeof(float)));
        STRATA_OK(cudaMalloc(reinterpret_cast<void**>(&s->dev), floats * sizeof(float)));
        free_.push_back(s.get());
        all_.push_back(std::move(s));
    }
}

SlabPool::~SlabPool() {
    for (auto& s : all_) {
        cudaFreeHost(s->host);
        cudaFree(s->dev);
    }
}

Slab* SlabPool::take() {
    std::unique_lock<std::mutex> hold(mu_);
    while (free_.empty()) {
        hold.unlock();
        pressure_();
        hold.lock();
    }
    Slab* s = free_.front();
    free_.pop_front();
    return s;
}

void SlabPool::put(Slab* s) {
    std::lock_guard<std::mutex> hold(mu_);
    free_.push_back(s);
}

}  // namespace strata
