/* Additive multilevel smoother: every level of the hierarchy applies its own
 * three-point operator; one cycle visits all levels on one stream. */
#ifndef MG_H
#define MG_H

#include <cuda_runtime.h>

#define MG_MAX_LEVELS 6

typedef struct mg_level {
    int n;
    double h;
    double *u;      /* device */
    double *w;      /* device */
    double *coef;   /* device, 3 entries: west, centre, east */
} mg_level;

typedef struct mg_ctx {
    int n_levels;
    mg_level level[MG_MAX_LEVELS];
    double dt;
    double coef[3];
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
} mg_ctx;

void mg_abort(cudaError_t e);
#define MG(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) mg_abort(e_); } while (0)

void mg_setup(mg_ctx *mg, int n_finest, int n_levels, double dt);
void mg_level_operator(const mg_ctx *mg, int l, double *coef);
void mg_enqueue_cycle(mg_ctx *mg);
void mg_record(mg_ctx *mg);
void mg_replay(mg_ctx *mg, int cycles);
void mg_teardown(mg_ctx *mg);

#endif
