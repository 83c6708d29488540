#ifndef CODEC_H
#define CODEC_H

/* Block codec for satellite frames, C interface. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct codec_session codec_session;

typedef struct {
    int bands;        /* spectral bands, each on a queue of its own */
    int pixels;       /* pixels per band */
} codec_config;

/* All functions return 0 or the number of a CUDA error. */
int codec_open(const codec_config* config, codec_session** session);
int codec_close(codec_session* session);

/* Encodes one frame; returns without waiting. */
int codec_encode(codec_session* session, int frame);

/* Pixels of the frame encoded last that do not decode, or -1. */
long codec_check(codec_session* session, int frame);

typedef struct codec_meter codec_meter;

int codec_meter_create(codec_session* session, codec_meter** meter);
int codec_meter_destroy(codec_meter* meter);
int codec_meter_begin(codec_meter* meter);
int codec_meter_end(codec_meter* meter, float* milliseconds);

#ifdef __cplusplus
}
#endif
#endif
