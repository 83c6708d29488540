/* lattice.h - scalar toy of a lattice code with a resident operator engine
 * The hopping operator is applied by one kernel that stays on the device for
 * the whole campaign and takes its orders from a mailbox in host memory.
 * Linear algebra runs as ordinary launches on the stream `blas`.
 */
#ifndef LATTICE_H
#define LATTICE_H
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

[[noreturn]] static inline void lq_die(const char *name) {
    printf("ERROR %s\n", name);
    fflush(stdout);
    _Exit(2);
}
#define LQ(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) lq_die(cudaGetErrorName(e_)); } while (0)

enum engine_op { OP_NONE = 0, OP_HOP = 1, OP_QUIT = 2 };

struct mailbox {                        /* mapped host memory */
    volatile unsigned      seq;
    volatile int           op, edge;
    volatile double        mass;
    double       *volatile dst;
    const double *volatile src;
    volatile unsigned      ack;
};

struct engine {
    struct mailbox *box;
    cudaStream_t    stream;
    unsigned        orders;
    int             running;
};

void engine_start(struct engine *e);
void engine_order(struct engine *e, enum engine_op op, double *dst, const double *src,
                  int edge, double mass);
void engine_stop(struct engine *e);

/* ---- arena.cpp : device workspace, counted in doubles ---- */

void    arena_reserve(size_t count);
double *arena_take(size_t count);
void    arena_rewind(void);

struct blas_ops {
    void   (*fill)(double *x, double a, int n);
    void   (*source)(double *b, int seed, int n);
    void   (*axpy)(double *y, double a, const double *x, int n);
    void   (*xpay)(double *y, const double *x, double a, int n);
    double (*dot)(const double *x, const double *y, int n);
};
extern struct blas_ops blas;
void blas_attach(void);

struct linop {
    void (*apply)(struct linop *self, double *dst, const double *src);
    struct engine *engine;
    int            edge, volume;
    double         mass;
};

double cg_solve(struct linop *op, double *x, const double *b, double target);
#endif
