#ifndef CG_H
#define CG_H
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(expr)                                             \
    do {                                                      \
        cudaError_t rc_ = (expr);                             \
        if (rc_ != cudaSuccess) {                             \
            printf("ERROR %s\n", cudaGetErrorName(rc_));      \
            exit(1);                                          \
        }                                                     \
    } while (0)

struct linop;
typedef void (*apply_fn)(const struct linop *op, const double *p, double *q, double *pq, cudaStream_t s);

typedef struct linop {
    int n;
    double diag, off;
    apply_fn apply;        /* q = A p, *pq += p . q */
} linop;

typedef struct cg_opts {
    int max_iter;
    double tol2;           /* of |r|^2 relative to |b|^2 */
} cg_opts;

typedef struct cg_work {
    double *vec;           /* x, r, p, q in one piece */
    double *rr;            /* three values of |r|^2, by iteration modulo 3 */
    double *pq;            /* three values of p . q */
    double *seen;          /* page-locked, two residuals for the host */
    cudaStream_t solve, watch;
    cudaEvent_t fresh[2], taken[2];
} cg_work;

linop stencil_op(int n, double diag, double off);
void cg_launch_start(const linop *op, cg_work *w, const double *b);
void cg_launch_update(const linop *op, cg_work *w, int k);
void cg_launch_direction(const linop *op, cg_work *w, int k);

#endif
