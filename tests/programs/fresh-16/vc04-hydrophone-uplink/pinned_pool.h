#pragma once
#include <cstddef>
#include <memory>
#include <vector>
#include "cuda_ok.h"

namespace hydro {

// Page-locked pages of one size. A page is leased as a unique_ptr and goes home with it.
class PinnedPool {
public:
    struct GoHome {
        PinnedPool* pool = nullptr;
        void operator()(float* page) const { pool->shelf_.push_back(page); }
    };
    using Lease = std::unique_ptr<float[], GoHome>;

    PinnedPool(std::size_t floats, int pages) : floats_(floats) {
        for (int i = 0; i < pages; ++i) shelf_.push_back(fresh());
    }
    ~PinnedPool() {
        for (float* page : all_) cudaFreeHost(page);
    }
    PinnedPool(const PinnedPool&) = delete;
    PinnedPool& operator=(const PinnedPool&) = delete;

    Lease lease() {
        if (shelf_.empty()) shelf_.push_back(fresh());
        float* page = shelf_.back();
        shelf_.pop_back();
        return Lease(page, GoHome{this});
    }

    std::size_t floats() const { return floats_; }

private:
    float* fresh() {
        float* page = nullptr;
        HYDRO_OK(cudaMallocHost(&page, floats_ * sizeof(float)));
        all_.push_back(page);
        return page;
    }

    std::size_t floats_;
    std::vector<float*> all_;
    std::vector<float*> shelf_;
};

}  // namespace hydro
