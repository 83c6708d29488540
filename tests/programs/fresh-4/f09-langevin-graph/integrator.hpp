#pragma once
#include "vrand.h"

#include <cstdio>
#include <cstdlib>

namespace lgv {

inline void ok(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}
inline void ok(vrandStatus_t s) {
    if (s != VRAND_OK) {
        std::printf("ERROR vrand%d\n", static_cast<int>(s));
        std::exit(1);
    }
}

struct Model {
    int walkers = 2048;
    double dt = 0.05;
    double gamma = 0.4;
    double kick = 0.3;
    uint64_t seed = 20240607;
};

struct State {
    double* x = nullptr;
    double* v = nullptr;
    double* noise = nullptr;
};

// Langevin integrator whose time step is recorded once and replayed.
class Integrator {
public:
    explicit Integrator(const Model& m);
    ~Integrator();
    Integrator(const Integrator&) = delete;
    Integrator& operator=(const Integrator&) = delete;

    void prepare();
    void advance(int steps);
    void positions(double* out) const;

private:
    void enqueue_step();

    Model model_;
    State st_;
    vrandHandle_t rng_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t step_ = nullptr;
};

}  // namespace lgv
