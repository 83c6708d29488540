#pragma once

#include "csr.h"

namespace relax {

struct solve_options {
  int sweeps = 40;
};

struct solve_stats {
  int sweeps = 0;
  double residual = 0.0;       // 2-norm of b - A x
  double seconds = 0.0;        // duration of the sweeps
  double sweeps_per_second = 0.0;
};

// Plain Jacobi iteration for A x = b. `x` holds the initial guess and receives the result,
// which is complete on return.
class jacobi_solver {
 public:
  jacobi_solver(handle& h, const csr_matrix& a);
  ~jacobi_solver();
  jacobi_solver(const jacobi_solver&) = delete;
  jacobi_solver& operator=(const jacobi_solver&) = delete;

  solve_stats solve(const double* b, double* x, const solve_options& options);

 private:
  handle& handle_;
  const csr_matrix& a_;
  double* next_ = nullptr;
};

}  // namespace relax
