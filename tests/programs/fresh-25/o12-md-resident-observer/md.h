#ifndef MD_H
#define MD_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define MD_ATOMS 1024
#define MD_BINS 64
#define MD_QUIT 0x7fffffff

#define MD_TRY(call)                                                \
    do {                                                            \
        cudaError_t md_rc = (call);                                 \
        if (md_rc != cudaSuccess) {                                 \
            printf("ERROR %s\n", cudaGetErrorName(md_rc));          \
            exit(1);                                                \
        }                                                           \
    } while (0)

/* Mailbox between the host and the integrator, in mapped page-locked memory. */
typedef struct {
    volatile int order;      /* host: run up to this step, or MD_QUIT */
    volatile int reached;    /* device: last finished step */
    volatile int kick;       /* host: thermostat increment of the step */
} md_mailbox;

typedef struct {
    unsigned *pos;           /* fixed-point coordinates, modulo 2^32 */
    unsigned *vel;
    unsigned *bins;
    unsigned *bins_host;     /* page-locked */
    md_mailbox *box;         /* host view */
    md_mailbox *box_dev;     /* device view */
    cudaStream_t motion, analysis;
} md_system;

void md_open(md_system *s);
void md_start(md_system *s);
void md_step(md_system *s, int step, int kick);
void md_observe(md_system *s, unsigned *histogram);
void md_stop(md_system *s);
void md_close(md_system *s);

#endif
