#ifndef TILE_ENCODER_H
#define TILE_ENCODER_H

#include <cuda_runtime.h>

enum { ENC_MAX_LANES = 4 };

typedef struct enc_config {
    int lanes;
    int tiles;
    int tile_pixels;
    unsigned long long search_ns;
} enc_config;

typedef struct enc_lane {
    cudaStream_t stream;
    cudaEvent_t finished;
    unsigned int *coefficients; /* device */
    unsigned int *bitstream;    /* pinned, one slot per tile of this lane */
    int encoded;
} enc_lane;

typedef struct encoder {
    enc_config config;
    enc_lane lanes[ENC_MAX_LANES];
    unsigned char *frame; /* device */
    unsigned int *ticker; /* device */
} encoder;

cudaError_t enc_open(encoder *enc, const enc_config *config);
cudaError_t enc_load_frame(encoder *enc, const unsigned char *pixels);
cudaError_t enc_submit(encoder *enc, int lane, int tile);
cudaError_t enc_flush(encoder *enc);
cudaError_t enc_ticks(encoder *enc, unsigned int *ticks);
void enc_close(encoder *enc);

unsigned int enc_reference(const unsigned char *pixels, int tile, int tile_pixels, int index);

#endif
