#pragma once

#include "md/config.h"
#include "md/cuda_support.h"

namespace md {

// One slab of the chain: displacements with ghost beads on both sides, and velocities.
class Domain {
public:
    Domain(const Parameters& p, int rank);

    void load(const Trajectory& t);
    void store(Trajectory& t);

    // Writes the border beads of one side into a wire buffer.
    void pack_face(Face face, double* wire);
    void kick();
    void drift();

    int rank() const { return rank_; }
    int beads() const { return p_.beads_per_domain; }
    double* ghost(Face face);
    Stream& compute() { return compute_; }

private:
    Parameters p_;
    int rank_;
    Stream compute_;
    DeviceArray<double> u_;
    DeviceArray<double> v_;
};

}  // namespace md
