/* Ring of device frames between one producing and one consuming stream.
 * Ordering is kept on the device; no call waits on the host. */
#ifndef TRING_H
#define TRING_H

#include <cuda.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tring_s* tring_t;

typedef struct tring_config {
    unsigned depth;
    size_t frame_bytes;
} tring_config;

CUresult tring_create(tring_t* ring, const tring_config* config);
CUresult tring_destroy(tring_t ring);

/* producer side */
CUresult tring_begin(tring_t ring, CUstream stream, CUdeviceptr* frame);
CUresult tring_commit(tring_t ring, CUstream stream);

/* consumer side */
CUresult tring_peek(tring_t ring, CUstream stream, CUdeviceptr* frame);
CUresult tring_retire(tring_t ring, CUstream stream);

#ifdef __cplusplus
}
#endif
#endif
