/* bench.h - force kernels of the MD code, timed in steady state
 * A case is set up once, run once untimed, and then run REPS times.  The
 * figure of merit is device time per call.
 */
#ifndef BENCH_H
#define BENCH_H
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#define NATOM      512
#define REPS       4
#define CUTOFF2    9.0

/* device time of the full system that the small one stands in for */
#define NS_PAIRS   8000000LL
#define NS_BONDS   6000000LL
#define NS_TORSION 14000000LL

[[noreturn]] static inline void bench_die(const char *name) {
    printf("ERROR %s\n", name);
    fflush(stdout);
    _Exit(2);
}
#define CU(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) bench_die(cudaGetErrorName(e_)); } while (0)

struct md_system {
    double *x;                  /* 3 * NATOM, device            */
    double *f_pair, *f_bond, *f_tors;   /* device               */
    double  host_x[3 * NATOM];
};

struct suite { cudaStream_t stream; cudaEvent_t start, stop; };
extern struct md_system md;
extern struct suite     suite;

struct bench_case {
    const char *name;
    void      (*setup)(struct bench_case *);
    void      (*run)(struct bench_case *);
    void      (*teardown)(struct bench_case *);
    void       *ctx;
    double      ms;             /* as reported                  */
    double      wall_ms;        /* as seen by an idle device    */
};

/* X(name) : case_<name>_setup, _run, _teardown */
#define BENCH_CASES(X) X(pairs) X(bonded) X(split)
#define BENCH_DECLARE(n)                                    \
    void case_##n##_setup(struct bench_case *);             \
    void case_##n##_run(struct bench_case *);               \
    void case_##n##_teardown(struct bench_case *);
BENCH_CASES(BENCH_DECLARE)

void force_pairs(cudaStream_t st);
void force_bonds(cudaStream_t st);
void force_torsions(cudaStream_t st);
void md_positions(double *x);
long md_verify(const double *pair, const double *bond, const double *tors);
#endif
