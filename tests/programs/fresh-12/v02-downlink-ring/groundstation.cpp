/* Feeds a pass of recorded antenna frames through the demodulator ring. */
#include <cstdio>
#include <cstdlib>

#include "downlink.h"

static const unsigned PASS_FRAMES = 20;

static uint32_t antenna_word(unsigned frame, unsigned i) {
    uint32_t x = frame * 0x9e3779b9u + i * 0x85ebca6bu + 1u;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ (x >> 16);
}

static void receive(unsigned frame, uint32_t *words) {
    for (unsigned i = 0; i < DL_FRAME_WORDS; ++i) words[i] = antenna_word(frame, i);
}

static void expect(unsigned frame, uint32_t *quality, uint32_t *digest) {
    uint32_t q = 0, d = 0;
    for (unsigned i = 0; i < DL_HEADER_WORDS; ++i) q = q * 31u + antenna_word(frame, i);
    for (unsigned i = 0; i < DL_PAYLOAD_WORDS; ++i)
        d += antenna_word(frame, DL_HEADER_WORDS + i) * (2u * i + 1u);
    *quality = q;
    *digest = d;
}

static void must(const dl_ring &ring, int status) {
    if (status == DL_OK) return;
    if (status == DL_CUDA)
        printf("ERROR %s\n", cudaGetErrorName(ring.cuda_error));
    else
        printf("WRONG 1\n");
    exit(1);
}

int main() {
    dl_ring ring;
    must(ring, dl_open(&ring));

    for (unsigned f = 0; f < PASS_FRAMES; ++f) {
        uint32_t *words = nullptr;
        must(ring, dl_acquire(&ring, &words));
        receive(f, words);
        must(ring, dl_submit(&ring));
    }

    uint32_t quality[DL_MAX_FRAMES], digest[DL_MAX_FRAMES];
    must(ring, dl_finish(&ring, quality, digest));
    dl_close(&ring);

    unsigned lost = 0;
    for (unsigned f = 0; f < PASS_FRAMES; ++f) {
        uint32_t q, d;
        expect(f, &q, &d);
        if (q != quality[f] || d != digest[f]) ++lost;
    }
    fprintf(stderr, "pass of %u frames, %u unusable\n", PASS_FRAMES, lost);
    if (lost)
        printf("WRONG %u\n", lost);
    else
        printf("DONE\n");
    return 0;
}
