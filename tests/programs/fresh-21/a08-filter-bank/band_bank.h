/* A bank of band filters over blocks of samples, replayed as one graph. */
#ifndef BAND_BANK_H
#define BAND_BANK_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BB_TAPS 96
#define BB_MAX_BANDS 16

typedef struct bb_bank bb_bank;

/* Taps of the band around `centre`, in cycles per sample (0 to 0.5). */
void bb_design(float centre, float taps[BB_TAPS]);

/* Builds a bank for blocks of `samples`; `centres` holds one value per band and
 * is not needed afterwards. */
cudaError_t bb_create(int samples, int bands, const float *centres, bb_bank **out);

/* Filters one block. `block` holds `samples` values, `result` receives
 * bands * samples, band by band; samples before the block count as zero.
 * Returns when the result is there. One call at a time per bank. */
cudaError_t bb_process(bb_bank *bank, const float *block, float *result);

void bb_destroy(bb_bank *bank);

#ifdef __cplusplus
}
#endif
#endif
