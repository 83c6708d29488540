#include "hearth.h"

#include <algorithm>
#include <chrono>

namespace hearth {

FetchService::FetchService(const CacheConfig& config, const HostTable& table, DeviceCache cache, MissBox* box)
    : config_(config), table_(table), cache_(cache), box_(box) {
    must(cudaGetDevice(&device_));
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    rows_.allocate(std::size_t(config_.max_lookup) * config_.dim);
    where_.allocate(config_.max_lookup);
    launch_scatter(rows_.device(), where_.device(), 0, cache_, stream_);
    must(cudaStreamSynchronize(stream_));
    thread_ = std::thread([this] { loop(); });
}

FetchService::~FetchService() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    cudaStreamDestroy(stream_);
}

void FetchService::loop() {
    must(cudaSetDevice(device_));
    volatile MissBox* box = box_;
    unsigned answered = 0;
    while (!stop_) {
        const unsigned posted = box->posted;
        if (posted == answered) {
            std::this_thread::sleep_for(std::chrono::microseconds(20));
            continue;
        }
        std::atomic_thread_fence(std::memory_order_acquire);
        fetch(box->count);
        answered = posted;
        std::atomic_thread_fence(std::memory_order_release);
        box->served = posted;
    }
}

void FetchService::fetch(int count) {
    const int room = std::min(count, config_.capacity - used_);
    for (int i = 0; i < room; ++i) {
        const int key = box_->keys[i];
        where_.host()[i] = {key, used_ + i};
        std::copy_n(table_.row(key), config_.dim, rows_.host() + std::size_t(i) * config_.dim);
    }
    used_ += room;
    rows_.push(std::size_t(room) * config_.dim, stream_);
    where_.push(room, stream_);
    launch_scatter(rows_.device(), where_.device(), room, cache_, stream_);
    must(cudaStreamSynchronize(stream_));
}

}  // namespace hearth
