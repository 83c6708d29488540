#pragma once
#include <cstddef>
#include <deque>
#include <memory>
#include <vector>
#include "cuda_ok.h"

namespace hydro {

struct Page {
    float* data = nullptr;
    cudaEvent_t read = nullptr;
};

// Page-locked pages of one size. A page is leased as a unique_ptr and goes home with it.
class PinnedPool {
public:
    struct GoHome {
        PinnedPool* pool = nullptr;
        void operator()(Page* page) const { pool->shelf_.push_back(page); }
    };
    using Lease = std::unique_ptr<Page, GoHome>;

    PinnedPool(std::size_t floats, int pages) : floats_(floats) {
        for (int i = 0; i < pages; ++i) shelf_.push_back(fresh());
    }
    ~PinnedPool() {
        for (auto& page : all_) {
            cudaEventDestroy(page->read);
            cudaFreeHost(page->data);
        }
    }
    PinnedPool(const PinnedPool&) = delete;
    PinnedPool& operator=(const PinnedPool&) = delete;

    Lease lease() {
        if (shelf_.empty()) shelf_.push_back(fresh());
        Page* page = shelf_.front();
        shelf_.pop_front();
        HYDRO_OK(cudaEventSynchronize(page->read));
        return Lease(page, GoHome{this});
    }

    std::size_t floats() const { return floats_; }

private:
    Page* fresh() {
        all_.push_back(std::make_unique<Page>());
        Page* page = all_.back().get();
        HYDRO_OK(cudaMallocHost(&page->data, floats_ * sizeof(float)));
        HYDRO_OK(cudaEventCreateWithFlags(&page->read, cudaEventDisableTiming));
        return page;
    }

    std::size_t floats_;
    std::vector<std::unique_ptr<Page>> all_;
    std::deque<Page*> shelf_;
};

}  // namespace hydro
