/* Acceptance report of a compute node: a table of small tests, each timed with
 * events and with the clock of the host. */
#include "lab.h"

#include <stdio.h>

static double apart(double x, double y) { return x > y ? x / y : y / x; }

static double judge(const test *t, const reading *r) {
  double worst = apart(r->events_ms, r->wall_ms);
  if (t->known_ms > 0) {
    const double e = apart(r->events_ms, t->known_ms);
    const double w = apart(r->wall_ms, t->known_ms);
    if (e > worst) worst = e;
    if (w > worst) worst = w;
  }
  return worst;
}

int main(void) {
  lab l;
  int bad = 0;
  double worst = 1;
  cudaError_t e = lab_open(&l);
  for (int i = 0; i < node_test_count && e == cudaSuccess; ++i) {
    const test *t = &node_tests[i];
    reading r;
    e = measure(&l, t, &r);
    if (e != cudaSuccess) break;
    const double off = judge(t, &r);
    if (off > worst) worst = off;
    printf("%-8s events %8.4f ms   wall %8.4f ms\n", t->name, r.events_ms, r.wall_ms);
  }
  if (e == cudaSuccess) e = lab_verify(&l, &bad);
  lab_close(&l);

  if (e != cudaSuccess) {
    printf("ERROR %s\n", cudaGetErrorName(e));
    return 1;
  }
  if (bad)
    printf("WRONG %d\n", bad);
  else if (worst > 1.5)
    printf("SLOW %.2f\n", worst);
  else
    printf("DONE\n");
  return 0;
}
