#include <stdio.h>
#include <stdlib.h>

#include "sonar.h"

static short sample(int ping, int i) { return (short)(64 + ((i * 3 + ping * 11) % 9) - 4); }

static void die(cudaError_t e) {
  printf("ERROR %s\n", cudaGetErrorName(e));
  fflush(stdout);
  _Exit(1);
}

int main(void) {
  sonar_t sonar;
  float energy[SONAR_BEAMS];
  int wrong = 0;
  cudaError_t e = sonar_open(&sonar);
  if (e != cudaSuccess) die(e);

  for (int ping = 1; ping <= 40; ++ping) {
    for (int i = 0; i < SONAR_SAMPLES; ++i) sonar.raw_host[i] = sample(ping, i);
    e = sonar_ping(&sonar, ping);
    if (e != cudaSuccess) die(e);
    sonar_collect(&sonar, ping, energy);
    for (int b = 0; b < SONAR_BEAMS; ++b) {
      long want = 0;
      for (int i = 0; i < SONAR_SAMPLES; ++i)
        want += (long)(sample(ping, (i + b * 5) % SONAR_SAMPLES) - 64) * (i & b);
      wrong += (long)energy[b] != want;
    }
  }

  e = sonar_close(&sonar);
  if (e != cudaSuccess) die(e);
  if (wrong)
    printf("WRONG %d\n", wrong);
  else
    printf("DONE\n");
  return 0;
}
