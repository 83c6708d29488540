#ifndef GANTRY_H
#define GANTRY_H

#include <cuda_runtime.h>

#define AXES 256

enum { CMD_NONE = 0, CMD_MOVE = 1, CMD_HOME = 2, CMD_NEGATE = 3, CMD_HALT = 4 };

/* Shared by the host and the control loop on the device. */
typedef struct mailbox {
    volatile unsigned seq;
    volatile unsigned op;
    volatile float arg;
    volatile unsigned ack;
} mailbox_t;

typedef struct gantry_line {
    mailbox_t *host;
    mailbox_t *dev;
    float *d_pos;
    float *h_gain;
    cudaStream_t stream;
    cudaStream_t tune;
    unsigned seq;
    int running;
} gantry_line_t;

#ifdef __cplusplus
extern "C" {
#endif

void gantry_fail(cudaError_t e);
void gantry_open(gantry_line_t *ln);
void gantry_start(gantry_line_t *ln);
void gantry_set_gain(gantry_line_t *ln, float base, float slope);
void gantry_read(gantry_line_t *ln, float *out);
void gantry_close(gantry_line_t *ln);

#ifdef __cplusplus
}
#endif

#define TRY(call)                                   \
    do {                                            \
        cudaError_t try_e_ = (call);                \
        if (try_e_ != cudaSuccess) gantry_fail(try_e_); \
    } while (0)

#endif
