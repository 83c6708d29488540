#ifndef MD_H
#define MD_H
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CK(call)                                             \
  do {                                                       \
    cudaError_t ck_ = (call);                                \
    if (ck_ != cudaSuccess) {                                \
      printf("ERROR %s\n", cudaGetErrorName(ck_));           \
      fflush(stdout);                                        \
      _Exit(1);                                              \
    }                                                        \
  } while (0)

enum { ST_DYN = 0, ST_CTRL, ST_IO, NST };
enum { CMD_IDLE = 0, CMD_STEP, CMD_QUIT };

struct SimParams {
  double dt;
  double box;
  int inner;
  int pad;
};

struct Mailbox {
  int seq;
  int cmd;
  int count;
  int ack;
};

struct Options {
  int natoms = 4096;
  int epochs = 3;
  int steps_per_epoch = 200;
  double dt0 = 0.001;
  double dt_growth = 2.0;
};

struct Atoms {
  double *x, *y, *z;
  double *vx, *vy, *vz;
};

extern cudaStream_t g_stream[NST];
extern Atoms g_dev;
extern Mailbox *g_box;

void engine_init(const Options &o);
void engine_start(int natoms);
void engine_params(const SimParams &p);
void engine_step(int n);
void engine_quit();
void engine_fetch(double *x, double *y, double *z, int n);
void engine_shutdown();

#endif
