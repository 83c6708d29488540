#pragma once
#include <thread>
#include <vector>
#include "common.h"

namespace migrate {

// Reads shot gathers and places them on the device from its own thread.
class ShotLibrary {
public:
    explicit ShotLibrary(const Settings& s) : s_(s), shots_(s.shots, nullptr) {
        ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        ok(cudaMallocHost(&staging_, s.traces * sizeof(uint32_t)));
    }
    ~ShotLibrary() {
        for (uint32_t* p : shots_) cudaFree(p);
        cudaFreeHost(staging_);
        cudaStreamDestroy(stream_);
    }
    void open() {
        reader_ = std::thread([this] {
            for (int k = 0; k < s_.shots; ++k) {
                ok(cudaMalloc(&shots_[k], s_.traces * sizeof(uint32_t)));
                for (int i = 0; i < s_.traces; ++i) staging_[i] = sample(k, i);
                ok(cudaMemcpyAsync(shots_[k], staging_, s_.traces * sizeof(uint32_t), cudaMemcpyHostToDevice, stream_));
                ok(cudaStreamSynchronize(stream_));
            }
        });
    }
    void join() { reader_.join(); }
    const uint32_t* shot(int k) const { return shots_[k]; }

private:
    const Settings s_;
    std::vector<uint32_t*> shots_;
    cudaStream_t stream_{};
    uint32_t* staging_ = nullptr;
    std::thread reader_;
};

}  // namespace migrate
