#pragma once
#include "host_memory.hpp"

#include <vector>

namespace bcast {

struct MixerSettings {
    int programmes = 4;
    std::size_t samples = 64 * 1024;
    int rounds = 6;
    unsigned filterMillis = 25;
    std::size_t lockedBytes = std::size_t(1) << 20;
};

class ProgrammeLane {
public:
    ProgrammeLane(const MixerSettings& s, SampleBuffer<int>& in, SampleBuffer<int>& out);
    ~ProgrammeLane();
    ProgrammeLane(const ProgrammeLane&) = delete;
    ProgrammeLane& operator=(const ProgrammeLane&) = delete;

    SampleBuffer<int>& in() { return in_; }
    SampleBuffer<int>& out() { return out_; }
    void submit();
    void settle() { must(cudaStreamSynchronize(stream_)); }
    void prime();

private:
    MixerSettings settings_;
    SampleBuffer<int>& in_;
    SampleBuffer<int>& out_;
    cudaStream_t stream_{};
    int* deviceIn_{};
    int* deviceOut_{};
};

}  // namespace bcast
