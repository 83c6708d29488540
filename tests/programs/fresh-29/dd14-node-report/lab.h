#ifndef LAB_H
#define LAB_H

#include <cuda_runtime.h>
#include <stddef.h>

/* What the tests of a node share. */

typedef struct lab {
  cudaStream_t main;
  cudaStream_t aux;
  cudaEvent_t t0, t1; /* timing */
  cudaEvent_t fork, join, step;
  cudaGraphExec_t graph;
  size_t words;
  unsigned *a, *b;
  unsigned *pinned;
  unsigned *counter;
  unsigned *counter_host;
  unsigned beats;
  unsigned triads;
} lab;

typedef struct test {
  const char *name;
  cudaError_t (*prepare)(lab *);
  cudaError_t (*run)(lab *);
  int reps;
  double known_ms; /* of one run, or 0 */
} test;

typedef struct reading {
  double events_ms;
  double wall_ms;
} reading;

#define PASS(call)                              \
  do {                                          \
    const cudaError_t pass_e = (call);          \
    if (pass_e != cudaSuccess) return pass_e;   \
  } while (0)

extern const test node_tests[];
extern const int node_test_count;

cudaError_t lab_open(lab *l);
void lab_close(lab *l);
cudaError_t lab_verify(lab *l, int *bad);

cudaError_t measure(lab *l, const test *t, reading *out);

#endif
