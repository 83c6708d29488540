/* Track filter that stays on the device while radar plots are relayed to it. C interface. */
#ifndef RELAY_H
#define RELAY_H

#include <cuda_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct relay relay_t;

typedef struct {
    int tracks;
    int depth;
    float gain;
} relay_config;

typedef struct {
    float x;
    float y;
} relay_plot;

typedef enum { RELAY_OK = 0, RELAY_BUSY = 1, RELAY_CUDA = 2, RELAY_MEMORY = 3 } relay_result;

relay_result relay_open(const relay_config *config, relay_t **out);
/* Room for the plots of the next scan, or NULL while the ring is full. */
relay_plot *relay_next(relay_t *relay);
relay_result relay_send(relay_t *relay);
relay_result relay_finish(relay_t *relay, relay_plot *tracks);
void relay_close(relay_t *relay);
cudaError_t relay_error(const relay_t *relay);

#ifdef __cplusplus
}
#endif

#endif
