#pragma once

#include "amr/multifab.h"

namespace amr {

struct Geometry {
    int nx = 256;
    int ny = 256;
    int max_box = 64;
};

std::vector<Box> decompose(const Geometry& g);
int32_t initial_value(int x, int y);

// One level of a periodic advection-diffusion problem in fixed point.
class Level {
public:
    Level(const Geometry& g, Arena& arena);

    void initialise();
    void step();
    std::vector<int32_t> gather() const;

private:
    void fill_ghosts();
    void advance(MultiFab& next);
    void copy_back(const MultiFab& next);

    Geometry geometry_;
    Arena& arena_;
    std::vector<Box> boxes_;
    MultiFab state_;
    Array2* table_;
};

void reference_step(const Geometry& g, std::vector<int32_t>& field);

}  // namespace amr
