#pragma once
#include <cuda_runtime.h>
#include <string>
#include <vector>
#include "scratch.h"
namespace desk {
constexpr int kRungs = 16;

struct Quote {
    unsigned strike;
    int notional;
};

// The open positions of one underlying and its exposure ladder: positions in order
// of strike, cut into rungs of equal size.
class RiskBook {
public:
    RiskBook(std::string underlying, int urgency, ScratchPool& scratch, int capacity);
    ~RiskBook();
    RiskBook(const RiskBook&) = delete;
    void load(const std::vector<Quote>& quotes);
    void reprice();
    std::vector<long long> ladder();

    int urgency() const { return urgency_; }
    const std::string& underlying() const { return underlying_; }
private:
    std::string underlying_;
    int urgency_;
    ScratchPool& scratch_;
    int count_ = 0;
    cudaStream_t stream_ = nullptr;
    unsigned* strikes_ = nullptr;
    int* notionals_ = nullptr;
    long long* ladder_ = nullptr;
};
}  // namespace desk
