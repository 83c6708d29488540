#include <cmath>
#include "md.h"

MdOptions md_options(int argc, char** argv) {
    MdOptions o;
    for (int i = 1; i + 1 < argc; i += 2) {
        std::string k = argv[i];
        if (k == "-n") o.atoms = std::atoi(argv[i + 1]);
        if (k == "-s") o.steps = std::atoi(argv[i + 1]);
        if (k == "-r") o.report = std::atoi(argv[i + 1]);
    }
    return o;
}

std::vector<Atom> md_lattice(int atoms) {
    std::vector<Atom> p(atoms);
    for (int i = 0; i < atoms; ++i) {
        int x = i % 10, y = (i / 10) % 10, z = i / 100;
        p[i] = Atom{x + 0.07f * ((i * 7) % 5), y + 0.05f * ((i * 11) % 7), z + 0.06f * ((i * 13) % 6), 1.0f};
    }
    return p;
}

void md_reference(const MdOptions& o, std::vector<Atom>& pos, std::vector<Atom>& vel) {
    const int n = o.atoms;
    std::vector<Atom> f(n);
    for (int s = 0; s < o.steps; ++s) {
        Field g = field_at(s);
        for (int i = 0; i < n; ++i) {
            float fx = 0, fy = 0, fz = 0;
            for (int d = -1; d <= 1; d += 2) {
                int j = i + d;
                if (j < 0 || j >= n) continue;
                float dx = pos[j].x - pos[i].x, dy = pos[j].y - pos[i].y, dz = pos[j].z - pos[i].z;
                float r = std::sqrt(dx * dx + dy * dy + dz * dz + 1e-6f);
                float m = 0.01f * o.k_bond * (r - 1.0f) / r;
                fx += m * dx, fy += m * dy, fz += m * dz;
            }
            for (int j = 0; j < n; ++j) {
                if (j == i) continue;
                float dx = pos[i].x - pos[j].x, dy = pos[i].y - pos[j].y, dz = pos[i].z - pos[j].z;
                float r2 = dx * dx + dy * dy + dz * dz;
                if (r2 >= o.radius * o.radius) continue;
                float r = std::sqrt(r2 + 1e-6f);
                float m = o.k_rep * (o.radius - r) / r;
                fx += m * dx, fy += m * dy, fz += m * dz;
            }
            f[i] = Atom{fx + g.gx, fy + g.gy, fz + g.gz, 0.f};
        }
        for (int i = 0; i < n; ++i) {
            vel[i].x = (vel[i].x + o.dt * f[i].x) * g.damping;
            vel[i].y = (vel[i].y + o.dt * f[i].y) * g.damping;
            vel[i].z = (vel[i].z + o.dt * f[i].z) * g.damping;
            pos[i].x += o.dt * vel[i].x;
            pos[i].y += o.dt * vel[i].y;
            pos[i].z += o.dt * vel[i].z;
        }
    }
}
