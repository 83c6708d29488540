#ifndef ENGINE_H
#define ENGINE_H
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CK(call)                                              \
    do {                                                      \
        cudaError_t ck_ = (call);                             \
        if (ck_ != cudaSuccess) {                             \
            printf("ERROR %s\n", cudaGetErrorName(ck_));      \
            exit(1);                                          \
        }                                                     \
    } while (0)

#define SLOTS 4
#define SAMPLES 8192

/* Page-locked and mapped. cmd and ack carry job number + 1 of the slot. */
typedef struct mailbox {
    volatile int cmd[SLOTS];
    volatile int ack[SLOTS];
    volatile unsigned result[SLOTS];
    volatile int stop;
} mailbox;

enum { LANE_IN0, LANE_IN1, LANE_WORK, LANES };

struct engine;

typedef struct lane {
    cudaStream_t stream;
    cudaEvent_t ready;
    int id;
} lane;

typedef struct lane_ops {
    void (*setup)(struct engine *e, lane *ln);
    void (*begin)(struct engine *e, lane *ln);
} lane_ops;

typedef struct engine {
    lane lanes[LANES];
    cudaEvent_t staged[SLOTS];
    mailbox *box, *d_box;
    unsigned *staging;     /* page-locked, SLOTS * SAMPLES */
    unsigned *payload;     /* device, the same layout */
    unsigned *tally;       /* device: jobs done, running sum */
} engine;

void engine_open(engine *e);
void engine_post(engine *e, int job);
unsigned engine_collect(engine *e, int job);
void engine_close(engine *e, unsigned tally[2]);
unsigned *engine_slot(engine *e, int job);

void worker_launch(engine *e, cudaStream_t s);

#endif
