#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "encoder.h"

#define GUARD(call)                        \
    do {                                   \
        status = (call);                   \
        if (status != cudaSuccess) {       \
            goto out;                      \
        }                                  \
    } while (0)

static double wall_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

static void paint(unsigned char *pixels, size_t count)
{
    unsigned int state = 17u;
    for (size_t i = 0; i < count; ++i) {
        state = state * 1664525u + 1013904223u;
        pixels[i] = (unsigned char)(state >> 24);
    }
}

static int verify(const encoder *enc, const unsigned char *pixels)
{
    const enc_config *config = &enc->config;
    int wrong = 0;
    for (int tile = 0; tile < config->tiles; ++tile) {
        const enc_lane *lane = &enc->lanes[tile % config->lanes];
        const unsigned int *slot = lane->bitstream + (size_t)(tile / config->lanes) * config->tile_pixels;
        for (int i = 0; i < config->tile_pixels; ++i) {
            if (slot[i] != enc_reference(pixels, tile, config->tile_pixels, i)) {
                wrong++;
            }
        }
    }
    return wrong;
}

int main(void)
{
    enc_config config = {4, 16, 64 * 1024, 40ull * 1000 * 1000};
    encoder enc;
    cudaError_t status = cudaSuccess;
    size_t frame_bytes = (size_t)config.tiles * config.tile_pixels;
    unsigned char *pixels = (unsigned char *)malloc(frame_bytes);
    unsigned int ticks = 0;
    int wrong = 0;
    int per_lane = config.tiles / config.lanes;
    double begin = 0.0, single_ms = 0.0, frame_ms = 0.0;

    paint(pixels, frame_bytes);
    GUARD(enc_open(&enc, &config));
    GUARD(enc_load_frame(&enc, pixels));

    /* Prime every lane. */
    for (int lane = 0; lane < config.lanes; ++lane) {
        for (int i = 0; i < per_lane; ++i) {
            enc.config.search_ns = 0;
            GUARD(enc_submit(&enc, lane, lane));
        }
    }
    GUARD(enc_flush(&enc));
    enc.config.search_ns = config.search_ns;

    /* One lane's share on an otherwise idle device. */
    begin = wall_ms();
    for (int i = 0; i < per_lane; ++i) {
        GUARD(enc_submit(&enc, 0, i * config.lanes));
    }
    GUARD(enc_flush(&enc));
    single_ms = wall_ms() - begin;

    /* The whole frame, spread over all lanes. */
    begin = wall_ms();
    for (int tile = 0; tile < config.tiles; ++tile) {
        GUARD(enc_submit(&enc, tile % config.lanes, tile));
    }
    GUARD(enc_flush(&enc));
    frame_ms = wall_ms() - begin;

    GUARD(enc_ticks(&enc, &ticks));
    wrong = verify(&enc, pixels);
    if (ticks != (unsigned int)(2 * config.tiles + per_lane)) {
        wrong++;
    }
    enc_close(&enc);

out:
    free(pixels);
    if (status != cudaSuccess) {
        printf("ERROR %s\n", cudaGetErrorName(status));
        return 2;
    }
    if (wrong) {
        printf("WRONG %d\n", wrong);
        return 1;
    }
    if (frame_ms > 1.5 * single_ms) {
        printf("SLOW %.2f\n", frame_ms / single_ms);
        return 1;
    }
    printf("DONE\n");
    return 0;
}
