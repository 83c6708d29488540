/* mg.h - one-dimensional Poisson solver, V-cycles as a graph */
#ifndef MG_H
#define MG_H
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#define MG_LEVELS     8
#define MG_FINE       511              /* interior points of level 0     */
#define MG_SWEEPS     2                /* pairs of sweeps before / after */
#define MG_BOTTOM     12               /* pairs of sweeps at the bottom  */
#define MG_CYCLES     8
#define MG_OMEGA      (2.0 / 3.0)

[[noreturn]] static inline void mg_die(const char *name) {
    printf("ERROR %s\n", name);
    fflush(stdout);
    _Exit(2);
}
#define MG_TRY(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) mg_die(cudaGetErrorName(e_)); } while (0)
#define MG_GRID(n)  (((n) + 127) / 128), 128

struct mg_coef {
    double h2inv;                      /* 1 / h^2           */
    double relax;                      /* omega / diagonal  */
    double scale;                      /* restriction scale */
};

struct mg_level {
    int             id;
    int             n;
    double         *u, *f, *r, *tmp;
    struct mg_coef *coef;              /* device */
    cudaStream_t    side;
    cudaEvent_t     fork, ready;
};

/* what the old code kept in COMMON /MGCOM/ */
struct mg_common {
    int             nlev;
    int             cycles;
    double          omega;
    struct mg_coef  coef[MG_LEVELS];
};
extern struct mg_common mgcom_;

void mg_levels_create(struct mg_level *lev, int nlev, int nfine);
void mg_coef_eval(struct mg_coef *c, int n);
void mg_coef_upload(struct mg_level *lv, cudaStream_t st);
void mg_smooth(struct mg_level *lv, int pairs, cudaStream_t st);
void mg_residual(struct mg_level *lv, cudaStream_t st);
void mg_restrict(struct mg_level *fine, struct mg_level *coarse, cudaStream_t st);
void mg_prolong(struct mg_level *coarse, struct mg_level *fine, cudaStream_t st);
cudaGraphExec_t mg_build(struct mg_level *lev, int nlev, cudaStream_t st);
void mg_reference(double *u, const double *f, int nlev, int nfine, int cycles);
#endif
