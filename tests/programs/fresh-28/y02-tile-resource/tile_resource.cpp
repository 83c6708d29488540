#include "tile_resource.h"

namespace mem {

namespace {

void* take_last(std::vector<void*>& v)
{
    void* p = v.back();
    v.pop_back();
    return p;
}

}  // namespace

int tile_resource::bin_of(std::size_t bytes)
{
    int bin = 8;
    while ((std::size_t(1) << bin) < bytes) ++bin;
    return bin;
}

tile_resource::~tile_resource()
{
    for (auto& entry : lanes_) {
        for (int b = 0; b < kBins; ++b)
            for (void* p : entry.second.bins[b]) upstream_.deallocate(p, std::size_t(1) << b, entry.first);
        cudaEventDestroy(entry.second.freed);
    }
}

void* tile_resource::do_allocate(std::size_t bytes, cudaStream_t stream)
{
    const int bin = bin_of(bytes);
    std::lock_guard<std::mutex> hold(mutex_);

    auto own = lanes_.find(stream);
    if (own != lanes_.end() && !own->second.bins[bin].empty()) return take_last(own->second.bins[bin]);

    for (auto& entry : lanes_) {
        std::vector<void*>& blocks = entry.second.bins[bin];
        if (blocks.empty()) continue;
        check(cudaStreamWaitEvent(stream, entry.second.freed, 0));
        return take_last(blocks);
    }

    ++fetched_;
    return upstream_.allocate(std::size_t(1) << bin, stream);
}

void tile_resource::do_deallocate(void* p, std::size_t bytes, cudaStream_t stream) noexcept
{
    std::lock_guard<std::mutex> hold(mutex_);
    lane& l = lanes_[stream];
    if (!l.freed) cudaEventCreateWithFlags(&l.freed, cudaEventDisableTiming);
    cudaEventRecord(l.freed, stream);
    l.bins[bin_of(bytes)].push_back(p);
}

}  // namespace mem
