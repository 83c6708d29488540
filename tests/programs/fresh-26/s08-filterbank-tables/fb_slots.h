#ifndef FB_SLOTS_H
#define FB_SLOTS_H
#include "fb.h"

#define FB_RING 4
#define FB_CAPTURED 16

/* A pinned descriptor table and its copy on the device. */
typedef struct fb_slot {
    fb_desc* host;
    fb_desc* dev;
    cudaEvent_t done;
    int pending;
} fb_slot;

typedef struct fb_slots {
    fb_slot ring[FB_RING];
    unsigned next;
    fb_slot captured[FB_CAPTURED];
    int captured_used;
} fb_slots;

cudaError_t fb_slots_init(fb_slots* slots);
void fb_slots_fini(fb_slots* slots);

/* A table for the next call. */
cudaError_t fb_slots_take(fb_slots* slots, int recording, fb_slot** out);

/* The work that uses the table is enqueued. */
cudaError_t fb_slots_put(fb_slots* slots, fb_slot* slot, int recording, cudaStream_t stream);

#endif
