#ifndef SONAR_FILTER_PLAN_H
#define SONAR_FILTER_PLAN_H

#include "staging.h"
#include <string>
#include <vector>

namespace sonar {

struct FilterDesc
{
    std::string label;
    std::vector<int> taps;
    int samples;
};

/// A FIR filter, prepared once and executed for every ping.
class FilterPlan
{
public:
    FilterPlan(const FilterDesc &desc, StagingArena &arena, cudaStream_t stream);
    ~FilterPlan();
    FilterPlan(const FilterPlan &) = delete;
    FilterPlan &operator=(const FilterPlan &) = delete;

    void execute(cudaStream_t stream);
    int *input() const { return m_input; }
    const int *output() const { return m_output; }
    const FilterDesc &desc() const { return m_desc; }

private:
    void record(StagingArena &arena, cudaStream_t stream);

    FilterDesc m_desc;
    int *m_taps = nullptr;
    int *m_input = nullptr;
    int *m_output = nullptr;
    cudaGraphExec_t m_exec = nullptr;
};

} // namespace sonar
#endif
