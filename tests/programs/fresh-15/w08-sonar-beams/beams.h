#ifndef BEAMS_H
#define BEAMS_H
#include <cuda_runtime.h>

#define SIDES 2

struct steering {
    float weight[8];
    int delay;
    int ping;
};

typedef struct beamformer {
    int samples;
    cudaStream_t side[SIDES]; /* port and starboard */
    short *raw_pinned[SIDES];
    short *raw[SIDES];
    float *filtered[SIDES];
    float *image;
} beamformer;

cudaError_t beams_open(beamformer *b, int samples);
cudaError_t beams_ping(beamformer *b, int ping, float *image_out);
void beams_close(beamformer *b);
void hydrophone(short *dst, int samples, int side, int ping);
struct steering steering_for(int side, int ping);

#endif
