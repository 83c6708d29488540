#pragma once
#include <cuda_runtime.h>

#include "slot_link.h"

void modemCheck(cudaError_t e);

// Owns the PHY stream, the demapper stream and the link memory.
class Modem {
public:
    Modem();
    ~Modem();
    Modem(const Modem&) = delete;
    Modem& operator=(const Modem&) = delete;

    Link& link() { return *link_; }
    bool selfTest();
    void power();
    void demap(std::uint32_t slot);
    void demapped(std::uint32_t slot);
    void shutdown();
    std::uint32_t checksum(std::uint32_t slot) const;

private:
    Link* link_ = nullptr;
    std::uint32_t* sums_ = nullptr;
    cudaStream_t phy_ = nullptr, mapper_ = nullptr;
    cudaEvent_t done_[2] = {};
};
