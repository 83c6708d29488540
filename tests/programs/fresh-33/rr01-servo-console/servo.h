#ifndef SERVO_H
#define SERVO_H

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

typedef struct servo_bus {
    mailbox_t *host;
    mailbox_t *dev;
    float *d_pos;
    float *h_gain;
    cudaStream_t stream;
    unsigned seq;
    int running;
} servo_bus_t;

#ifdef __cplusplus
extern "C" {
#endif

void servo_fail(cudaError_t e);
void servo_open(servo_bus_t *bus);
void servo_start(servo_bus_t *bus);
void servo_set_gain(servo_bus_t *bus, float base, float slope);
void servo_read(servo_bus_t *bus, float *out);
void servo_close(servo_bus_t *bus);

#ifdef __cplusplus
}
#endif

#define TRY(call)                                   \
    do {                                            \
        cudaError_t try_e_ = (call);                \
        if (try_e_ != cudaSuccess) servo_fail(try_e_); \
    } while (0)

#endif
