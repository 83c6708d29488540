#ifndef QUOTE_SERVER_H
#define QUOTE_SERVER_H
/* Option quote server: a resident kernel answers pricing requests through a mailbox. */

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_EPOCHS 4

typedef struct {
    volatile unsigned request;
    volatile unsigned reply;
    volatile unsigned shutdown;
    volatile unsigned length;
    const int *volatile surface;
    volatile int strike;
    volatile long long price;
} mailbox;

typedef struct {
    int *dev;
    unsigned length;
} surface_t;

typedef struct {
    mailbox *box;          /* page-locked, mapped */
    mailbox *box_dev;
    cudaStream_t resident;
    cudaStream_t upload;
    int *staging;          /* page-locked */
    unsigned capacity;
    surface_t surface[MAX_EPOCHS];
    int epoch;
    unsigned calls;
} quote_server;

typedef void (*surface_fn)(int *dst, unsigned length, int epoch, void *user);

void server_start(quote_server *s, unsigned capacity, surface_fn first, void *user);
void server_next_epoch(quote_server *s, surface_fn make, void *user);
long long server_quote(quote_server *s, int strike);
void server_stop(quote_server *s);

static inline void need(cudaError_t rc)
{
    if (rc != cudaSuccess) {
        printf("ERROR %s\n", cudaGetErrorName(rc));
        exit(1);
    }
}

#endif
