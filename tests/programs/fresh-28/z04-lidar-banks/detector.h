#pragma once
#include "sweep_store.h"

namespace lidar {

// Clusters the points of a sweep and sums up the intensity above ground.
class Detector {
public:
    explicit Detector(const Config& config);
    ~Detector();

    void process(const Sweep& sweep, SweepStore& store);
    std::vector<unsigned long long> results();

private:
    Config config_;
    cudaStream_t compute_ = nullptr;
    unsigned long long* energy_ = nullptr;
};

}  // namespace lidar
