/* cases.cpp - what the suite times */
#include "bench.h"

void case_pairs_setup(struct bench_case *) { }
void case_pairs_run(struct bench_case *) { force_pairs(suite.stream); }
void case_pairs_teardown(struct bench_case *) { }

void case_bonded_setup(struct bench_case *) { }
void case_bonded_teardown(struct bench_case *) { }
void case_bonded_run(struct bench_case *) {
    force_bonds(suite.stream);
    force_torsions(suite.stream);
}

/* both, the bonded part on a stream of its own */

struct split_ctx {
    cudaStream_t side;
    cudaEvent_t  positions;
    cudaEvent_t  bonded;
};

void case_split_setup(struct bench_case *c) {
    struct split_ctx *s = (struct split_ctx *)calloc(1, sizeof *s);
    CU(cudaStreamCreateWithFlags(&s->side, cudaStreamNonBlocking));
    CU(cudaEventCreateWithFlags(&s->positions, cudaEventDisableTiming));
    CU(cudaEventCreateWithFlags(&s->bonded, cudaEventDisableTiming));
    c->ctx = s;
}

void case_split_run(struct bench_case *c) {
    struct split_ctx *s = (struct split_ctx *)c->ctx;
    CU(cudaEventRecord(s->positions, suite.stream));
    CU(cudaStreamWaitEvent(s->side, s->positions, 0));
    force_bonds(s->side);
    force_torsions(s->side);
    CU(cudaEventRecord(s->bonded, s->side));
    force_pairs(suite.stream);
    CU(cudaStreamWaitEvent(suite.stream, s->bonded, 0));
}

void case_split_teardown(struct bench_case *c) {
    struct split_ctx *s = (struct split_ctx *)c->ctx;
    CU(cudaStreamSynchronize(s->side));
    CU(cudaEventDestroy(s->positions));
    CU(cudaEventDestroy(s->bonded));
    CU(cudaStreamDestroy(s->side));
    free(s);
}
