/* gpz: lossless-ish 8-bit grey frame encoder.
 *
 * A frame goes through two stages: a block transform with quantisation, which runs in the encoder's stream, and the
 * entropy coder, which is sequential by nature and runs beside it in a stream of the encoder's own, so that the
 * transform of the next frame and the coding of this one overlap.
 *
 *   gpz_encode() returns at once with a ticket. It reads the frame in the order of the encoder's stream, so the frame's
 *   memory may be reused by later work in that stream.
 *   gpz_get()    waits for the ticket's bitstream, copies it to host memory and frees the ticket.
 *
 * At most options.depth tickets may be out at a time (GPZ_BUSY otherwise). One host thread at a time per encoder.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gpz_encoder_s* gpz_encoder;

typedef enum {
  GPZ_SUCCESS = 0,
  GPZ_BAD_ARGUMENT,
  GPZ_BUSY,
  GPZ_BUFFER_TOO_SMALL,
  GPZ_OUT_OF_MEMORY,
  GPZ_RUNTIME_ERROR
} gpz_result;

typedef struct {
  int width;   /* multiple of 4 */
  int height;  /* multiple of 4 */
  int shift;   /* quantiser: coefficients are divided by 2^shift */
  int depth;   /* tickets out at a time, 1 to 8 */
} gpz_options;

gpz_result gpz_create(gpz_encoder* enc, const gpz_options* options);
gpz_result gpz_destroy(gpz_encoder enc); /* waits for frames in the coder */
gpz_result gpz_set_stream(gpz_encoder enc, cudaStream_t stream);
gpz_result gpz_encode(gpz_encoder enc, const uint8_t* d_frame, size_t pitch, int* ticket);
gpz_result gpz_get(gpz_encoder enc, int ticket, void* dst, size_t capacity, size_t* bytes);
const char* gpz_result_name(gpz_result r);

#ifdef __cplusplus
}
#endif
