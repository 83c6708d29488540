#pragma once

#include "session.h"

#include <functional>
#include <string>
#include <vector>

namespace tune {

struct Grid {
    int width = 512;
    int height = 512;
    float* current = nullptr;
    float* next = nullptr;
    std::size_t bytes() const { return sizeof(float) * width * height; }
};

struct Candidate {
    std::string name;
    std::function<void(Grid&, cudaStream_t)> sweep;
};

struct Score {
    std::size_t candidate = 0;
    float millisecondsPerSweep = 0;
};

// All sweeps that this build knows, the plain one first.
std::vector<Candidate> candidates();
void reset(Grid& grid, cudaStream_t stream);

class Tuner {
public:
    Tuner(const Session& session, int warmup, int sweeps)
        : session_(session), warmup_(warmup), sweeps_(sweeps) {}

    std::vector<Score> rank(const std::vector<Candidate>& list, Grid& grid);

private:
    float measure(const Candidate& candidate, Grid& grid);

    const Session& session_;
    int warmup_;
    int sweeps_;
};

}  // namespace tune
