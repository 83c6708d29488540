#pragma once

#include <cstdint>
#include <vector>

namespace md {

// Number of beads on each side that a bead interacts with.
constexpr int kReach = 2;

enum Face : int { kLow = 0, kHigh = 1 };

struct Parameters {
    int domains = 3;
    int beads_per_domain = 4096;
    int steps = 12;
    double dt = 0.05;
    double k_near = 1.0;
    double k_far = 0.25;
    double k_cubic = 0.5;
    // Cost of the wire-format conversion of one face, in nanoseconds.
    std::int64_t pack_ns = 12'000'000;

    int total() const { return domains * beads_per_domain; }
};

struct Trajectory {
    std::vector<double> u;
    std::vector<double> v;
};

Trajectory initial_state(const Parameters& p);
Trajectory reference_run(const Parameters& p, Trajectory state);

}  // namespace md
