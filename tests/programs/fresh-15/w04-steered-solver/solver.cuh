#pragma once
#include "steer.h"

namespace steer {

class Solver {
public:
    explicit Solver(int cells);
    ~Solver();

    void start();
    void load(int epoch, double scale);
    void halt();
    double cell(int i) const { return result_[i]; }
    int cells() const { return cells_; }

private:
    int cells_;
    cudaStream_t work_ = nullptr;
    cudaStream_t feed_ = nullptr;
    HostPtr<Wheel> wheel_;
    HostPtr<double> staged_;
    HostPtr<double> result_;
    DevicePtr<double> source_;
    DevicePtr<double> field_;
    DevicePtr<Rendezvous> meet_;
};

}  // namespace steer
