#pragma once

#include <vector>

#include "desk/check.h"
#include "desk/mailbox.h"

namespace desk {

// Exposure check over the current positions; used while the filter is resident.
class RiskMonitor {
public:
    RiskMonitor();
    ~RiskMonitor();
    RiskMonitor(const RiskMonitor&) = delete;
    RiskMonitor& operator=(const RiskMonitor&) = delete;

    void book(uint32_t symbol, int32_t quantity) { positions_[symbol] += quantity; }
    long long exposure();
    long long expected() const;

private:
    cudaStream_t stream_ = nullptr;
    int32_t* positions_ = nullptr;
    long long* total_ = nullptr;
    int32_t* d_positions_ = nullptr;
    long long* d_total_ = nullptr;
};

}  // namespace desk
