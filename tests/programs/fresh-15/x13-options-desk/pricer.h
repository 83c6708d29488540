#pragma once
#include <cuda_runtime.h>
#include <stdexcept>

struct Option {
    float spot;
    float strike;
    bool call;
};

struct Quote {
    unsigned long long payoff;  // summed over the paths, in cents
    cudaError_t status;
};

// Workspace of one seat of the crew.
struct Workspace {
    unsigned long long* device = nullptr;
    unsigned long long* host = nullptr;
};

cudaError_t prepare(Workspace& w);
void release(Workspace& w);
Quote price(Workspace& w, const Option& option, int paths);
unsigned long long priceOnHost(const Option& option, int paths);
