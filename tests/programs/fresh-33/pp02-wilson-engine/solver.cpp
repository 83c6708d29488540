/* solver.cpp - conjugate gradients over the engine */
#include "lattice.h"
#include <initializer_list>

double cg_solve(struct linop *op, double *x, const double *b, double target) {
    const int n = op->volume;
    double   *r = arena_take(n);
    double   *p = arena_take(n);
    double   *ap = arena_take(n);
    for (double *v : { x, r, p })
        blas.fill(v, 0.0, n);
    blas.axpy(r, 1.0, b, n);
    blas.axpy(p, 1.0, b, n);
    double rr = blas.dot(r, r, n);
    const double stop = target * target * rr;
    int it = 0;
    while (rr > stop && it < 200) {
        op->apply(op, ap, p);
        double alpha = rr / blas.dot(p, ap, n);
        blas.axpy(x, alpha, p, n);
        blas.axpy(r, -alpha, ap, n);
        double next = blas.dot(r, r, n);
        blas.xpay(p, r, next / rr, n);
        rr = next;
        ++it;
    }
    op->apply(op, ap, x);
    blas.xpay(ap, b, -1.0, n);
    fprintf(stderr, "edge %d mass %.2f: %d iterations\n", op->edge, op->mass, it);
    return blas.dot(ap, ap, n) / blas.dot(b, b, n);
}
