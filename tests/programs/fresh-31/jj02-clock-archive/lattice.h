// Clock-model spins on an L x L torus, two generations.
#pragma once
#include "rt.h"
#include <cstdint>
#include <vector>

namespace lat {

using Spin = std::uint32_t;

// One generation of the spins.
class Slab {
public:
    explicit Slab(size_t sites) : sites_(sites) { RT(cudaMalloc(&p_, sites * sizeof(Spin))); }
    ~Slab() { cudaFree(p_); }
    Slab(const Slab&) = delete;
    Slab& operator=(const Slab&) = delete;

    Spin* data() { return p_; }
    const Spin* data() const { return p_; }
    size_t sites() const { return sites_; }

    void lend(const rt::Lane& reader) const { reader.stamp(loan_); }
    void reclaim(const rt::Lane& writer) { writer.follow(loan_); }

private:
    size_t sites_;
    Spin* p_ = nullptr;
    rt::Mark loan_;
};

class Lattice {
public:
    explicit Lattice(int extent);
    void load(const std::vector<Spin>& host);
    void sweep(unsigned step);
    const Slab& current() const { return now_ ? b_ : a_; }
    const rt::Lane& lane() const { return lane_; }
    int extent() const { return L_; }

private:
    Slab& current_mut() { return now_ ? b_ : a_; }
    Slab& next() { return now_ ? a_ : b_; }
    int L_;
    Slab a_, b_;
    int now_ = 0;
    rt::Lane lane_;
};

inline constexpr Spin kClockMask = 0xffffu;

__host__ __device__ inline Spin rotate(Spin c, Spin n, Spin s, Spin e, Spin w, unsigned step) {
    return (3u * c + n + s + 5u * e + 7u * w + 11u * step + 1u) & kClockMask;
}

}  // namespace lat
