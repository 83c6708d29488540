#pragma once
#include "device.h"
#include "model.h"

namespace pic {

// Keeps the particles on one multiprocessor for a whole run; each step is
// started by a command word and answered by a reply word.
class Mover {
public:
    Mover();
    void launch(Particle* p, int n, const int* efield, int steps);
    void command(unsigned step);
    void await(unsigned step);
    void finish();

private:
    PinnedField<unsigned> words_;
    Stream stream_;
};

// Charge deposition and field, once a step.
class FieldSolver {
public:
    FieldSolver();
    ~FieldSolver();
    void solve(const Particle* p, int n, int* probe);
    void await();
    const int* efield() const { return e_.p; }

private:
    DeviceField<int> rho_, e_;
    Stream stream_;
    cudaEvent_t done_ = nullptr;
};

}  // namespace pic
