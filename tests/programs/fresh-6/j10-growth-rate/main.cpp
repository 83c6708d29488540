#include "power.h"
#include <cmath>
#include <cstdio>
#include <vector>

int main()
{
    pw_config cfg = {20000, 10, 2.0f, 0.5f};
    pw_solver *solver = nullptr;
    std::vector<float> x(cfg.n);
    float rate = 0.f;

    pw_status st = pw_create(&cfg, &solver);
    if (st == PW_OK)
        st = pw_run(solver, x.data(), &rate);
    if (st != PW_OK) {
        std::printf("ERROR %s\n", st == PW_CUDA ? cudaGetErrorName(pw_cuda_error()) : "nomem");
        return 1;
    }

    std::vector<double> r(cfg.n, 1.0), y(cfg.n);
    double norm = 1.0;
    for (int k = 0; k < cfg.iterations; ++k) {
        norm = 0.0;
        for (int i = 0; i < cfg.n; ++i) {
            const double l = i > 0 ? r[i - 1] : 0.0, q = i + 1 < cfg.n ? r[i + 1] : 0.0;
            y[i] = (cfg.diag + 0.125 * (i & 7)) * r[i] + cfg.coupling * (l + q);
            norm += y[i];
        }
        for (int i = 0; i < cfg.n; ++i)
            r[i] = y[i] / norm;
    }

    long wrong = std::fabs(rate - norm) > 1e-3 * norm ? 1 : 0;
    for (int i = 0; i < cfg.n; ++i)
        if (!(std::fabs(x[i] - r[i]) <= 1e-3 * r[i]))
            ++wrong;

    pw_destroy(solver);
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
