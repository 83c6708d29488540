#pragma once
#include "host_arena.h"

namespace seis {

struct Survey {
    int receivers = 256;
    int samples = 1024;
    int shots = 16;
    int lanes = 4;
};

// Arrival pick of one receiver.
struct Pick {
    int sample;
    float amplitude;
};

// One way through the device: traces in, picks out.
class Lane {
public:
    Lane(const Survey& survey, HostArena& arena, CudaStatus& status);
    ~Lane();
    float* traces() { return traces_; }
    void start(int shot, Pick* picks);
    void finish() { status_.merge(cudaStreamSynchronize(stream_)); }

private:
    const Survey& survey_;
    CudaStatus& status_;
    float* traces_;
    float* devTraces_ = nullptr;
    Pick* devPicks_ = nullptr;
    cudaStream_t stream_ = nullptr;
};

}  // namespace seis
