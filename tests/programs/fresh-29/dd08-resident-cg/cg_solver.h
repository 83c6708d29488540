#ifndef CG_SOLVER_H
#define CG_SOLVER_H

#include <cuda_runtime.h>

/* Conjugate gradients for the matrix tridiag(-1, 2 + shift, -1), the whole
 * iteration in one launch. */

typedef struct cg_solver cg_solver;

typedef struct cg_info {
  int iterations;
  double residual2;
} cg_info;

typedef enum cg_mode { CG_AUTO, CG_ONE_BLOCK } cg_mode;

cudaError_t cg_create(cg_solver **out, int n, double shift, cg_mode mode);
void cg_destroy(cg_solver *s);

/* Copies b in, solves and copies x out; both point to pinned memory which is
 * the solver's until cg_finish. */
cudaError_t cg_begin(cg_solver *s, const double *b, double *x, double tol, int max_iterations);
cudaError_t cg_finish(cg_solver *s, cg_info *info);

int cg_blocks(const cg_solver *s);

#endif
