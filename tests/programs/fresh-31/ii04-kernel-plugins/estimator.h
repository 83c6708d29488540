#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <string>

#include "board.h"

namespace fusion {

class Estimator {
public:
    virtual ~Estimator() = default;
    virtual std::string name() const = 0;
    virtual float* window() = 0;
    // Time of one pass over `samples` samples, in milliseconds.
    virtual float profile(int samples) = 0;
    virtual void run(Board* board, int slot, unsigned epoch) = 0;
    virtual float reference(const float* samples, int count) const = 0;
};

std::unique_ptr<Estimator> make_mean_estimator();
std::unique_ptr<Estimator> make_peak_estimator();
std::unique_ptr<Estimator> make_energy_estimator();

}  // namespace fusion
