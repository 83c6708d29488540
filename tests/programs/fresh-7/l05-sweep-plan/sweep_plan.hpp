#ifndef RELAX_SWEEP_PLAN_HPP
#define RELAX_SWEEP_PLAN_HPP

#include "staging.hpp"

namespace relax {

struct problem {
    int cells;
    int sweeps;
};

class sweep_plan {
public:
    sweep_plan(problem p, staging_pool& pool, cudaStream_t stream);
    ~sweep_plan();
    sweep_plan(const sweep_plan&) = delete;

    void execute(cudaStream_t stream) { ok(cudaGraphLaunch(exec_, stream)); }
    float* rhs() const { return rhs_; }
    float* solution() const { return u_; }

    static float weight(int cell) { return float(1 << (cell % 4)); }

private:
    void record(staging_pool& pool, cudaStream_t stream);

    problem prob_;
    float* u_ = nullptr;
    float* rhs_ = nullptr;
    float* w_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace relax
#endif
