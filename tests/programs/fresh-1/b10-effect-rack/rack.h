#ifndef RACK_H
#define RACK_H
/* Audio effect rack: each preset is a FIR chain, compiled into a graph once. */

#include "arena.h"

#define TAPS 32
#define SAMPLES (1 << 15)
#define PRESETS 4

typedef struct {
    int gain;
    int spread;
    int taps[TAPS];
} fir_block;

typedef struct {
    int id;
    cudaGraphExec_t exec;
    fir_block *d_block;
    int *d_out;
    int *out;               /* page-locked */
} preset;

typedef void (*design_fn)(fir_block *b, int preset_id, void *user);

typedef struct {
    arena staging;
    cudaStream_t stream;
    int *d_in;
    preset bank[PRESETS];
} rack;

void rack_open(rack *r, const int *input);
void rack_compile(rack *r, int id, design_fn design, void *user);
void rack_play(rack *r, int id);
void rack_wait(rack *r);
void rack_close(rack *r);

#endif
