/* A matching engine that stays on the device for a trading session. */
#ifndef MATCHER_H
#define MATCHER_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define LEVELS 128

enum { CMD_NONE = 0, CMD_ORDER = 1, CMD_CLOSE = 2 };

/* Lives in page-locked memory, seen by both sides. */
struct desk_mail {
    unsigned seq;         /* written by the gateway */
    int      cmd;
    int      level;
    int      qty;
    unsigned ack;         /* written by the engine */
    int      filled;
};

struct matcher {
    cudaStream_t      engine;
    cudaStream_t      audit;
    struct desk_mail *mail;
    struct desk_mail *mail_dev;
    int              *book;          /* device, resting quantity per level */
    int              *depth;         /* device, cumulated */
    int              *depth_host;    /* page-locked */
    unsigned          seq;
};

#define TRY(x)                                                   \
    do {                                                         \
        cudaError_t try_e = (x);                                 \
        if (try_e != cudaSuccess) {                              \
            printf("ERROR %s\n", cudaGetErrorName(try_e));       \
            exit(2);                                             \
        }                                                        \
    } while (0)

void matcher_init(struct matcher *m);
void matcher_open(struct matcher *m);
int  matcher_order(struct matcher *m, int level, int qty);
const int *matcher_depth(struct matcher *m);
void matcher_close(struct matcher *m);
void matcher_free(struct matcher *m);

#endif
