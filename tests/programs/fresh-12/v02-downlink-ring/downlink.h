#ifndef DOWNLINK_H
#define DOWNLINK_H

#include <cuda_runtime.h>
#include <stdint.h>

#define DL_SLOTS 4
#define DL_HEADER_WORDS 64
#define DL_PAYLOAD_WORDS 4096
#define DL_FRAME_WORDS (DL_HEADER_WORDS + DL_PAYLOAD_WORDS)
#define DL_MAX_FRAMES 64

enum dl_status { DL_OK = 0, DL_CUDA = -1, DL_FULL = -2 };

typedef struct dl_slot {
    uint32_t *host;      /* receiver side */
    uint32_t *dev;       /* same pages seen from the device */
    cudaEvent_t drained;
    int in_flight;
} dl_slot;

typedef struct dl_ring {
    dl_slot slot[DL_SLOTS];
    unsigned head;
    unsigned frames;
    cudaStream_t stream;
    uint32_t *d_quality; /* one word per frame */
    uint32_t *d_digest;  /* one word per frame */
    cudaError_t cuda_error;
} dl_ring;

int dl_open(dl_ring *r);
/* Next slot to be filled by the receiver; *words holds DL_FRAME_WORDS words. */
int dl_acquire(dl_ring *r, uint32_t **words);
/* Hands the slot of the last dl_acquire to the demodulator. */
int dl_submit(dl_ring *r);
int dl_finish(dl_ring *r, uint32_t *quality, uint32_t *digest);
void dl_close(dl_ring *r);

#endif
