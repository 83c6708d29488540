#pragma once
#include "drv.h"

#include <array>
#include <vector>

// A tensor parallel group whose ranks share one device: a stream for each rank,
// and one for the requests that come in.
class TpGroup {
public:
    static constexpr int kRanks = 4;
    static constexpr int kWidth = 2048;

    TpGroup();
    ~TpGroup();
    TpGroup(const TpGroup&) = delete;
    TpGroup& operator=(const TpGroup&) = delete;

    CUstream stream() const { return intake_; }
    CUstream rank_stream(int r) const { return ranks_[r]; }

    void layer(unsigned index, unsigned long long cost_ns);
    std::vector<unsigned> activations() const;
    void clear();

private:
    void launch(CUfunction f, CUstream s, void** args);

    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
    CUfunction shard_ = nullptr;
    CUfunction reduce_ = nullptr;
    CUstream intake_ = nullptr;
    std::array<CUstream, kRanks> ranks_{};
    std::array<CUevent, kRanks> partial_ready_{};
    CUevent admitted_ = nullptr;
    CUevent reduced_ = nullptr;
    CUdeviceptr partial_ = 0;
    CUdeviceptr out_ = 0;
};
