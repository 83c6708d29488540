#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

void expect_ok(cudaError_t e);
void expect_ok(CUresult r);

struct Domain {
    int cells = 4096;
    int sweeps = 40;
    unsigned long long sweep_ns = 300000ull;
};

// One half of a periodic 1-D domain together with its boundary mailbox.
class Rank {
public:
    Rank(const Domain& d, int id, const uint32_t* initial);
    ~Rank();
    Rank(const Rank&) = delete;

    void sweep(int it, const Rank& peer);
    void announce(int it);
    void await(int it, const Rank& peer);
    void fetch(uint32_t* out) const;
    void drain() const { expect_ok(cudaStreamSynchronize(stream_)); }

private:
    Domain domain_;
    uint32_t* field_[2] = {nullptr, nullptr};
    uint32_t* edges_ = nullptr;  // [parity][left, right]
    uint32_t* progress_ = nullptr;
    cudaStream_t stream_{};
};

uint32_t mix(uint32_t l, uint32_t c, uint32_t r);
