#ifndef ENCODER_H
#define ENCODER_H

#include <cuda_runtime.h>
#include <stddef.h>

#define ENC_LANES 3
#define ENC_COEFFS 65536

/* One intra encoder: a control stream for the frame order, one lane per plane. */
struct encoder {
    cudaStream_t control;
    cudaStream_t lane[ENC_LANES];
    cudaEvent_t opened;
    cudaEvent_t sealed[ENC_LANES];
    unsigned *plane[ENC_LANES];
};

cudaError_t encoder_open(struct encoder *enc);
cudaError_t encoder_frame(struct encoder *enc, unsigned frame);
cudaError_t encoder_fetch(struct encoder *enc, int lane, unsigned *out);
void encoder_close(struct encoder *enc);

#endif
