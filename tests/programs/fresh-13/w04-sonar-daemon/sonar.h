#ifndef SONAR_H
#define SONAR_H

#include <cuda_runtime.h>

#define SONAR_BEAMS 8
#define SONAR_SAMPLES 8192
#define SONAR_STOP (-1)

/* Shared by host and device, in mapped host memory. */
typedef struct {
  int seq;
  int ack[SONAR_BEAMS];
  float energy[SONAR_BEAMS];
} mailbox_t;

typedef struct {
  cudaStream_t server;
  cudaStream_t intake;
  mailbox_t *box;
  mailbox_t *box_dev;
  short *raw_host;
  short *raw_dev;
  float *line_dev;
} sonar_t;

cudaError_t sonar_open(sonar_t *s);
cudaError_t sonar_ping(sonar_t *s, int ping);
void sonar_collect(sonar_t *s, int ping, float *energy);
cudaError_t sonar_close(sonar_t *s);

#endif
