#include "md.h"
#include <cmath>
#include <vector>

// Steered drift run: the time step is enlarged from epoch to epoch.
int main() {
  Options opt;
  engine_init(opt);

  SimParams p;
  p.dt = opt.dt0;
  p.box = 100.0;
  p.inner = 1;
  p.pad = 0;
  engine_params(p);
  engine_start(opt.natoms);

  double total = 0.0;
  for (int e = 0; e < opt.epochs; ++e) {
    engine_step(opt.steps_per_epoch);
    total += p.dt * opt.steps_per_epoch;
    p.dt *= opt.dt_growth;
    if (e + 1 < opt.epochs) engine_params(p);
  }
  engine_quit();

  std::vector<double> x(opt.natoms), y(opt.natoms), z(opt.natoms);
  engine_fetch(x.data(), y.data(), z.data(), opt.natoms);
  int bad = 0;
  for (int i = 0; i < opt.natoms; ++i) {
    double c = i % 97;
    double ex = 1.0 + 0.01 * c + total * (0.1 + 0.001 * c);
    double ey = 2.0 + 0.01 * c + total * (0.2 + 0.001 * c);
    double ez = 3.0 + 0.01 * c + total * (0.3 + 0.001 * c);
    if (fabs(x[i] - ex) > 1e-9 || fabs(y[i] - ey) > 1e-9 || fabs(z[i] - ez) > 1e-9) ++bad;
  }
  engine_shutdown();
  if (bad)
    printf("WRONG %d\n", bad);
  else
    printf("DONE\n");
  return 0;
}
