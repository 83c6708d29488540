#pragma once

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define SW_CHECK(expr)                                                \
    do {                                                              \
        const cudaError_t sw_ = (expr);                               \
        if (sw_ != cudaSuccess) {                                     \
            std::printf("ERROR %s\n", cudaGetErrorName(sw_));         \
            std::fflush(stdout);                                      \
            std::_Exit(1);                                            \
        }                                                             \
    } while (0)

constexpr int kRobots = 2048;

enum Command : int { kIdle = 0, kAdvance = 1, kHalt = 2 };

struct TickPage {
    volatile int command;
    volatile unsigned tick;
    volatile unsigned done;
};

// Computes the setpoints of the coming tick.
class Planner {
public:
    Planner();
    ~Planner();
    void plan(int tick);
    const int* setpoints() const { return setpoints_; }

private:
    cudaStream_t stream_ = nullptr;
    int* setpoints_ = nullptr;
};

// Stays on the device for the whole mission and moves the robots tick by tick.
class Controller {
public:
    enum class State { kParked, kRunning, kStopped };

    Controller();
    ~Controller();
    void start(const int* setpoints);
    void advance();
    void halt();
    State state() const { return state_; }
    const int* positions() const { return positions_; }

private:
    void ring(Command command);

    State state_ = State::kParked;
    cudaStream_t stream_ = nullptr;
    int* positions_ = nullptr;
    TickPage* page_ = nullptr;
    TickPage* devicePage_ = nullptr;
    unsigned tick_ = 0;
};
