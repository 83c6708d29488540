#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <vector>

#include "model.h"

namespace tracker {

[[noreturn]] void give_up(cudaError_t e);

inline void need(cudaError_t e) {
    if (e != cudaSuccess) give_up(e);
}

// Device state shared by all stages.
struct State {
    uint32_t* place = nullptr;
    uint32_t* scratch = nullptr;
    uint32_t* weight = nullptr;
    uint32_t* map = nullptr;
    Estimate* estimates = nullptr;  // one per scan

    State();
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;
};

class Stage {
public:
    virtual ~Stage() = default;
    virtual void run(State& state, int scan) = 0;
};

// The particle lanes, the resampler and the recorder.
std::unique_ptr<Stage> make_motion_stage();
std::unique_ptr<Stage> make_resample_stage();

class Recorder : public Stage {
public:
    virtual const Estimate* estimates() = 0;
};
std::unique_ptr<Recorder> make_recorder();

// Sensor side: draws a map of the surroundings into `target`, on the calling
// thread's own stream.
void draw_map(uint32_t* target, int scan);
// Makes a drawn map the one that particles are weighed against.
void adopt_map(State& state, const uint32_t* drawn);

}  // namespace tracker
