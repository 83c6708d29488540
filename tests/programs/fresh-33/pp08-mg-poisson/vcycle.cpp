/* vcycle.cpp - one V-cycle, recorded into a graph
 * While a level is smoothed, its side stream prepares the next coarser one:
 * coefficients and a zero first guess.
 */
#include "mg.h"

static void prepare_next(struct mg_level *lv, struct mg_level *next, cudaStream_t st) {
    MG_TRY(cudaEventRecord(lv->fork, st));
    MG_TRY(cudaStreamWaitEvent(lv->side, lv->fork, 0));
    mg_coef_upload(next, lv->side);
    MG_TRY(cudaMemsetAsync(next->u, 0, next->n * sizeof(double), lv->side));
    MG_TRY(cudaEventRecord(lv->ready, lv->side));
}

static void descend(struct mg_level *lev, int l, int nlev, cudaStream_t st) {
    struct mg_level *lv = &lev[l];
    if (l == nlev - 1) {
        mg_smooth(lv, MG_BOTTOM, st);
        return;
    }
    struct mg_level *next = &lev[l + 1];
    prepare_next(lv, next, st);
    mg_smooth(lv, MG_SWEEPS, st);
    mg_residual(lv, st);
    mg_restrict(lv, next, st);
    MG_TRY(cudaStreamWaitEvent(st, lv->ready, 0));
    descend(lev, l + 1, nlev, st);
    mg_prolong(next, lv, st);
    mg_smooth(lv, MG_SWEEPS, st);
}

cudaGraphExec_t mg_build(struct mg_level *lev, int nlev, cudaStream_t st) {
    cudaGraph_t     graph;
    cudaGraphExec_t exec;
    MG_TRY(cudaStreamBeginCapture(st, cudaStreamCaptureModeThreadLocal));
    mg_coef_upload(&lev[0], st);
    descend(lev, 0, nlev, st);
    MG_TRY(cudaStreamEndCapture(st, &graph));
    MG_TRY(cudaGraphInstantiate(&exec, graph, 0));
    MG_TRY(cudaGraphDestroy(graph));
    return exec;
}
