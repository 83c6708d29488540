#pragma once
#include <vector>

#include "observer.h"

namespace plasma {

// Sums a field over a sliding window in its own stream, beside the solver.
class EnergyProbe final : public Observer {
public:
    EnergyProbe(int maxSteps, int every);
    ~EnergyProbe() override;
    void onStep(const FieldPtr& field, cudaEvent_t ready) override;
    std::vector<double> collect();

private:
    int maxSteps_;
    int every_;
    int taken_ = 0;
    cudaStream_t stream_ = nullptr;
    double* sums_ = nullptr;
};

}  // namespace plasma
