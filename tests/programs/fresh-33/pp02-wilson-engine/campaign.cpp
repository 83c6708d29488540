/* campaign.cpp - propagators on a sequence of lattices */
#include "lattice.h"

struct job { int edge; double mass; int seed; };

static const struct job campaign[] = {
    { 4, 0.50, 3 },
    { 4, 0.25, 5 },
    { 6, 0.50, 3 },
    { 8, 0.50, 7 },
    { 8, 0.25, 9 },
};
#define VECTORS 5                       /* x, b and the three of the solver */
#define VOLUME(e) ((e) * (e) * (e) * (e))

static struct engine engine;

static void hop(struct linop *self, double *dst, const double *src) {
    engine_order(self->engine, OP_HOP, dst, src, self->edge, self->mass);
}

static long run_job(const struct job *j) {
    struct linop op = { hop, &engine, j->edge, VOLUME(j->edge), j->mass };
    arena_reserve((size_t)VECTORS * op.volume);
    arena_rewind();
    double *dx = arena_take(op.volume);
    double *db = arena_take(op.volume);
    blas.source(db, j->seed, op.volume);
    return !(cg_solve(&op, dx, db, 1e-10) <= 1e-16);
}

int main(void) {
    long bad = 0;
    LQ(cudaSetDevice(0));
    blas_attach();
    arena_reserve((size_t)VECTORS * VOLUME(campaign[0].edge));
    engine_start(&engine);
    for (const struct job &j : campaign)
        bad += run_job(&j);
    engine_stop(&engine);
    if (bad) printf("WRONG %ld\n", bad);
    else printf("DONE\n");
    return 0;
}
