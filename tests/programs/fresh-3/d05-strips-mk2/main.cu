#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "params.h"
#include "strip.cuh"

static std::vector<float> initial_plate(const Params& p) {
    std::vector<float> u(size_t(p.nx) * (2 * p.rows + 2));
    for (size_t r = 0; r < size_t(2 * p.rows + 2); ++r)
        for (int c = 0; c < p.nx; ++c) u[r * p.nx + c] = 20.f + 5.f * std::sin(0.05f * r) * std::cos(0.03f * c);
    return u;
}

static void reference(const Params& p, std::vector<float>& u) {
    std::vector<float> v = u;
    const int nx = p.nx;
    for (int s = 0; s < p.steps; ++s) {
        for (int r = 1; r <= 2 * p.rows; ++r) {
            float heat = (r == p.rows || r == p.rows + 1) ? p.source * (1 + s % 4) : 0.f;
            for (int c = 1; c < nx - 1; ++c) {
                size_t i = size_t(r) * nx + c;
                v[i] = u[i] + p.alpha * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4.0f * u[i]) + heat;
            }
        }
        std::swap(u, v);
    }
}

int main(int argc, char** argv) {
    const Params p = params_from_args(argc, argv);
    std::vector<float> plate = initial_plate(p);
    const size_t strip_cells = size_t(p.nx) * (p.rows + 2);

    Strip upper(p, true), lower(p, false);
    Strip* strips[2] = {&upper, &lower};
    upper.upload(std::vector<float>(plate.begin(), plate.begin() + strip_cells));
    lower.upload(std::vector<float>(plate.end() - strip_cells, plate.end()));

    auto t0 = std::chrono::steady_clock::now();
    for (int s = 0; s < p.steps; ++s) {
        const float heat = p.source * (1 + s % 4);
        for (Strip* d : strips) {
            d->await_ghost();
            d->advance_contact(heat);
            d->mark_contact();
            d->advance_bulk();
        }
        upper.send_contact_to(lower);
        lower.send_contact_to(upper);
        for (Strip* d : strips) d->swap();
    }
    for (Strip* d : strips) d->finish();
    double sec = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    std::printf("%d steps, %.2f Mcell updates/s\n", p.steps, 2.0 * p.nx * p.rows * p.steps / sec / 1e6);

    reference(p, plate);
    std::vector<float> got[2] = {upper.download(), lower.download()};
    size_t wrong = 0;
    for (int half = 0; half < 2; ++half)
        for (int r = 1; r <= p.rows; ++r)
            for (int c = 0; c < p.nx; ++c) {
                float want = plate[size_t(r + half * p.rows) * p.nx + c];
                float have = got[half][size_t(r) * p.nx + c];
                wrong += !(std::fabs(want - have) <= 2e-3f);
            }
    if (wrong) std::printf("WRONG %zu\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
