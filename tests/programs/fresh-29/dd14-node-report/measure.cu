#include "lab.h"

#include <time.h>

#define WARMUPS 2
#define TRIES 3

static double now_ms(void) {
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return ts.tv_sec * 1e3 + ts.tv_nsec * 1e-6;
}

static cudaError_t repeat(lab *l, const test *t, int times) {
  for (int i = 0; i < times; ++i) PASS(t->run(l));
  return cudaSuccess;
}

static cudaError_t by_events(lab *l, const test *t, double *ms) {
  float f = 0;
  PASS(cudaEventRecord(l->t0, l->main));
  PASS(repeat(l, t, t->reps));
  PASS(cudaEventRecord(l->t1, l->main));
  PASS(cudaEventSynchronize(l->t1));
  PASS(cudaEventElapsedTime(&f, l->t0, l->t1));
  *ms = f / t->reps;
  return cudaSuccess;
}

static cudaError_t by_wall(lab *l, const test *t, double *ms) {
  PASS(cudaStreamSynchronize(l->main));
  const double start = now_ms();
  PASS(repeat(l, t, t->reps));
  PASS(cudaStreamSynchronize(l->main));
  *ms = (now_ms() - start) / t->reps;
  return cudaSuccess;
}

cudaError_t measure(lab *l, const test *t, reading *out) {
  out->events_ms = out->wall_ms = 1e30;
  PASS(t->prepare(l));
  PASS(repeat(l, t, WARMUPS));
  PASS(cudaStreamSynchronize(l->main));
  for (int i = 0; i < TRIES; ++i) {
    double e = 0, w = 0;
    PASS(by_events(l, t, &e));
    PASS(by_wall(l, t, &w));
    if (e < out->events_ms) out->events_ms = e;
    if (w < out->wall_ms) out->wall_ms = w;
  }
  return cudaSuccess;
}
