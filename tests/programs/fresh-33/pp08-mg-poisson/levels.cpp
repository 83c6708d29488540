/* levels.cpp - the grid hierarchy and its coefficients */
#include "mg.h"
#include <initializer_list>

alignas(4096) struct mg_common mgcom_;

void mg_levels_create(struct mg_level *lev, int nlev, int nfine) {
    mgcom_.nlev = nlev;
    mgcom_.cycles = MG_CYCLES;
    mgcom_.omega = MG_OMEGA;
    MG_TRY(cudaHostRegister(&mgcom_, sizeof mgcom_, cudaHostRegisterDefault));
    int n = nfine;
    for (int l = 0; l < nlev; ++l) {
        struct mg_level *lv = &lev[l];
        lv->id = l;
        lv->n = n;
        for (double **a : { &lv->u, &lv->f, &lv->r, &lv->tmp })
            MG_TRY(cudaMalloc(a, n * sizeof(double)));
        MG_TRY(cudaMalloc(&lv->coef, sizeof(struct mg_coef)));
        MG_TRY(cudaStreamCreateWithFlags(&lv->side, cudaStreamNonBlocking));
        MG_TRY(cudaEventCreateWithFlags(&lv->fork, cudaEventDisableTiming));
        MG_TRY(cudaEventCreateWithFlags(&lv->ready, cudaEventDisableTiming));
        n = (n - 1) / 2;
    }
}

void mg_coef_eval(struct mg_coef *c, int n) {
    double h = 1.0 / (n + 1);
    c->h2inv = 1.0 / (h * h);
    c->relax = mgcom_.omega / (2.0 * c->h2inv);
    c->scale = 0.25;
}

void mg_coef_upload(struct mg_level *lv, cudaStream_t st) {
    struct mg_coef *c = &mgcom_.coef;
    mg_coef_eval(c, lv->n);
    MG_TRY(cudaMemcpyAsync(lv->coef, c, sizeof *c, cudaMemcpyHostToDevice, st));
}
