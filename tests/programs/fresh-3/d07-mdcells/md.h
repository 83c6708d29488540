#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Atom {
    float x, y, z, w;
};

struct MdOptions {
    int atoms = 768;
    int steps = 30;
    int report = 10;
    float dt = 0.004f;
    float k_bond = 4.0f;
    float k_rep = 1.5f;
    float radius = 1.2f;
};

// Sinusoidal driving field applied during one step.
struct Field {
    float gx, gy, gz, damping;
};

inline Field field_at(int step) {
    float s = (step % 8) * 0.125f;
    return Field{0.2f * s, -0.1f * s, 0.05f, 0.999f};
}

MdOptions md_options(int argc, char** argv);
std::vector<Atom> md_lattice(int atoms);
void md_reference(const MdOptions& o, std::vector<Atom>& pos, std::vector<Atom>& vel);
