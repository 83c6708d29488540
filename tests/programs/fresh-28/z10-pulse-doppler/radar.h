#ifndef RADAR_H
#define RADAR_H

#include <cuda_runtime.h>

#define RADAR_BEAMS 4
#define RADAR_PULSES 64
#define RADAR_GATES 512

typedef struct radar_beam {
    cudaStream_t stream;
    int *echo;       /* pulses x gates */
    int *compressed; /* pulses x gates */
    int *spectrum;   /* gates */
} radar_beam;

typedef struct radar {
    radar_beam beam[RADAR_BEAMS];
    int *report; /* beams x gates, on the host */
} radar;

typedef struct stopwatch {
    cudaEvent_t first, last;
} stopwatch;

#define RADAR_RETURN(call)                  \
    do {                                    \
        cudaError_t rr_ = (call);           \
        if (rr_ != cudaSuccess) return rr_; \
    } while (0)

static inline int radar_echo(int beam, int pulse, int gate)
{
    unsigned h = 31u * beam + 2654435761u * pulse + 40503u * gate;
    h ^= h >> 11;
    return (int)(h & 255u);
}

cudaError_t radar_open(radar *r);
cudaError_t radar_dwell(radar *r);
cudaError_t radar_fetch(radar *r);
void radar_close(radar *r);

cudaError_t stopwatch_init(stopwatch *w);
cudaError_t stopwatch_start(stopwatch *w);
cudaError_t stopwatch_stop(stopwatch *w, float *ms);
void stopwatch_free(stopwatch *w);

#endif
