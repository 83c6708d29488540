#pragma once
#include "lanes.h"

namespace mz {

static __global__ void tally_tile(unsigned* issued, unsigned* last, unsigned id) {
    *issued += 1;
    *last = id;
}

// Counters that the operator console samples out of band.
class Dashboard {
public:
    static Dashboard& instance() {
        static Dashboard d;
        return d;
    }
    void issued(unsigned tile) {
        tally_tile<<<1, 1>>>(counters_, counters_ + 1, tile);
        MZ_CHECK(cudaGetLastError());
    }
    unsigned total() const {
        unsigned v = 0;
        MZ_CHECK(cudaMemcpy(&v, counters_, sizeof v, cudaMemcpyDeviceToHost));
        return v;
    }

private:
    Dashboard() {
        MZ_CHECK(cudaMalloc(&counters_, 2 * sizeof(unsigned)));
        MZ_CHECK(cudaMemset(counters_, 0, 2 * sizeof(unsigned)));
    }
    unsigned* counters_ = nullptr;
};

}  // namespace mz
