#pragma once

#include "galerkin_core.hpp"

#include <array>
#include <memory>

namespace galerkin {

struct SolverConfig {
  int presweeps = 2, postsweeps = 2, max_iters = 60;
  double omega = 2.0 / 3.0, tolerance = 1e-6;
};

struct SolveStatus {
  bool converged = false;
  int iterations = 0;
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual void setup(int unknowns) = 0;
  virtual void upload_rhs(const std::vector<double> &rhs) = 0;
  virtual SolveStatus solve() = 0;
  virtual std::vector<double> download_solution() = 0;
};

std::unique_ptr<Solver> make_multigrid(Resources &resources, const SolverConfig &config);

}  // namespace galerkin
