#ifndef ISING_OBSERVABLES_H
#define ISING_OBSERVABLES_H

#include "mailbox.h"

struct Sample {
    unsigned long long energy = 0;
    unsigned long long moment = 0;
};

/* Measures global sums of a lattice on a stream of its own. */
class Observables {
public:
    Observables();
    ~Observables();
    Sample measure(const uint32_t* cells, int n);

private:
    static constexpr int kBlocks = 16;
    cudaStream_t stream_ = nullptr;
    Sample* device_ = nullptr;
    Sample* host_ = nullptr;
};

#endif
