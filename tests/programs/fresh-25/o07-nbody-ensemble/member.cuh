#pragma once
#include "device_array.h"

struct Body {
    float x, y, z, m;
};

// A realisation of the same cluster with perturbed initial conditions.
struct Member {
    int seed = 0;
    cudaStream_t stream = nullptr;
    DeviceArray<Body> bodies;
    Body* result = nullptr;   // page-locked, one per member
};

void make_member(Member& m, int seed, int n);
void drop_member(Member& m);

// Enqueues a complete integration of the member and the download of its state.
void integrate(Member& m, int steps);
