#pragma once
#include "common.h"

struct LinkControl {
    unsigned credit;    // frames the receiver may produce
    unsigned produced;  // frames it has produced
    unsigned stop;
};

// Carrier tracking loop: keeps its phase state on the device for a whole pass.
class CarrierTracker {
public:
    explicit CarrierTracker(const LinkConfig& cfg);
    ~CarrierTracker();

    void start();
    void grant(unsigned frames) { host_->credit = frames < cfg_.frames ? frames : cfg_.frames; }
    void waitFrame(unsigned seq) const;
    void stop();
    const unsigned char* slot(unsigned n) const
    { return ring_ + (n % cfg_.ringSlots) * cfg_.symbolsPerFrame; }
private:
    LinkConfig cfg_;
    cudaStream_t stream_ = nullptr;
    volatile LinkControl* host_ = nullptr;
    LinkControl* device_ = nullptr;
    unsigned char* ring_ = nullptr;
};
