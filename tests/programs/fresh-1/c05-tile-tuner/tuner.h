#pragma once
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gpu_timer.h"

struct Candidate {
    std::string name;
    std::function<void(cudaStream_t)> launch;
};

struct Choice {
    int index = -1;
    float ms = std::numeric_limits<float>::max();
};

class AutoTuner {
public:
    AutoTuner() {
        int least = 0, greatest = 0;
        CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        CHECK(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest));
    }
    ~AutoTuner() { cudaStreamDestroy(stream_); }

    AutoTuner& add(std::string name, std::function<void(cudaStream_t)> fn) {
        candidates_.push_back({std::move(name), std::move(fn)});
        return *this;
    }
    AutoTuner& repeats(int n) {
        repeats_ = n;
        return *this;
    }

    Choice tune() const {
        Choice best;
        for (int i = 0; i < static_cast<int>(candidates_.size()); ++i) {
            float ms = profile(candidates_[i]);
            std::printf("%-12s %.3f ms\n", candidates_[i].name.c_str(), ms);
            if (ms < best.ms) best = {i, ms};
        }
        return best;
    }

    cudaStream_t stream() const { return stream_; }
    const Candidate& operator[](int i) const { return candidates_[i]; }
    int size() const { return static_cast<int>(candidates_.size()); }

private:
    float profile(const Candidate& c) const {
        c.launch(stream_);
        CHECK(cudaStreamSynchronize(stream_));
        GpuTimer timer;
        timer.start();
        for (int r = 0; r < repeats_; ++r) c.launch(stream_);
        timer.stop();
        const float ms = timer.milliseconds() / repeats_;
        CHECK(cudaStreamSynchronize(stream_));
        return ms;
    }

    cudaStream_t stream_{};
    std::vector<Candidate> candidates_;
    int repeats_ = 4;
};
