#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "beams.h"

#define SAMPLES 16384
#define PINGS 10

void hydrophone(short *dst, int samples, int side, int ping)
{
    for (int i = 0; i < samples; ++i) dst[i] = (short)((i * 31 + side * 977 + ping * 113) % 2000 - 1000);
}

struct steering steering_for(int side, int ping)
{
    struct steering s;
    for (int k = 0; k < 8; ++k) s.weight[k] = (float)(((k + side + ping) % 5) - 2);
    s.delay = 3 + 5 * side + ping;
    s.ping = ping;
    return s;
}

static void side_on_host(double *out, int side, int ping)
{
    short *raw = (short *)malloc(SAMPLES * sizeof(short));
    struct steering s = steering_for(side, ping);
    hydrophone(raw, SAMPLES, side, ping);
    for (int i = 0; i < SAMPLES; ++i) {
        double acc = 0;
        int c = i - s.delay;
        for (int k = 0; k < 8 && c >= 0; ++k)
            if (c - k >= 0) acc += s.weight[k] * raw[c - k];
        out[i] = acc;
    }
    free(raw);
}

int main(void)
{
    static float image[SAMPLES];
    static double port[SAMPLES], starboard[SAMPLES];
    beamformer b;
    int wrong = 0;

    cudaError_t rc = beams_open(&b, SAMPLES);
    for (int ping = 0; rc == cudaSuccess && ping < PINGS; ++ping) {
        rc = beams_ping(&b, ping, image);
        if (rc != cudaSuccess) break;
        side_on_host(port, 0, ping);
        side_on_host(starboard, 1, ping);
        for (int i = 0; i < SAMPLES; ++i)
            if (fabs(port[i] + 2.0 * starboard[i] - image[i]) > 0.5) ++wrong;
    }
    beams_close(&b);

    if (rc != cudaSuccess) {
        printf("ERROR %s\n", cudaGetErrorName(rc));
        return 1;
    }
    if (wrong) {
        printf("WRONG %d\n", wrong);
        return 1;
    }
    printf("DONE\n");
    return 0;
}
