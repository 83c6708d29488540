#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define LATTICE_CHECK(expr)                                         \
    do {                                                            \
        const cudaError_t rc_ = (expr);                             \
        if (rc_ != cudaSuccess) {                                   \
            std::printf("ERROR %s\n", cudaGetErrorName(rc_));       \
            std::exit(1);                                           \
        }                                                           \
    } while (0)

namespace lattice {

// One sub-domain of a periodic one-dimensional lattice gas.  Sites 1..cells are
// owned, sites 0 and cells+1 mirror the neighbours' outermost sites.
struct Domain {
    int index = 0;
    int cells = 0;
    unsigned cost_ms = 0;              // collisions per step differ between regions
    std::uint32_t* current = nullptr;
    std::uint32_t* next = nullptr;
    std::uint32_t* outbox[2] = {nullptr, nullptr};  // {leftmost, rightmost} by parity
    cudaStream_t stream = nullptr;
    cudaEvent_t posted = nullptr;
};

__host__ __device__ inline std::uint32_t collide(std::uint32_t l, std::uint32_t c,
                                                 std::uint32_t r, std::uint32_t step) {
    std::uint32_t v = l * 3u + c * 5u + r * 7u + step;
    return v ^ (v >> 13);
}

class Ring {
public:
    Ring(int domains, int cells_per_domain, const std::vector<std::uint32_t>& sites);
    ~Ring();
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;

    void run(int steps);
    std::vector<std::uint32_t> gather();

private:
    Domain& neighbour(const Domain& d, int offset);
    void advance(Domain& d, int step);
    void exchange(Domain& d, int step);

    int cells_;
    std::vector<Domain> domains_;
};

}  // namespace lattice
