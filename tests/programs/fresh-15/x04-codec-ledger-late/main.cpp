#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ratecontrol.h"

namespace {

int bitsOf(int level) {
    int n = 0;
    for (int v = std::abs(level); v; v >>= 1) ++n;
    return 1 + 2 * n;
}

void synthesise(short* out, int n, unsigned seed) {
    for (int i = 0; i < n; ++i) {
        seed = seed * 1664525u + 1013904223u;
        out[i] = static_cast<short>((seed >> 16) % 2048) - 1024;
    }
}

cudaError_t encodeClip(int gops, int& wrong) {
    EncoderConfig cfg;
    RateLedger ledger;
    Encoder encoder(cfg, ledger);
    CODEC_TRY(encoder.open());

    short* picture = nullptr;
    CODEC_TRY(cudaMallocHost(&picture, sizeof(short) * cfg.sliceSamples * cfg.slicesPerGop));
    for (int g = 0; g < gops; ++g) {
        ledger.reset();
        long expect = 0;
        const int first = g * cfg.slicesPerGop;
        for (int s = 0; s < cfg.slicesPerGop; ++s) {
            short* samples = picture + static_cast<size_t>(s) * cfg.sliceSamples;
            synthesise(samples, cfg.sliceSamples, 77u * (first + s) + 5u);
            for (int i = 0; i < cfg.sliceSamples; ++i) expect += bitsOf(samples[i] / cfg.quantiser);
            CODEC_TRY(encoder.submit(first + s, samples));
        }
        GopReport report;
        CODEC_TRY(closeGop(encoder, ledger, first, cfg.slicesPerGop, report));
        if (report.bits != expect || report.slices != static_cast<size_t>(cfg.slicesPerGop)) ++wrong;
    }
    return cudaFreeHost(picture);
}

}  // namespace

int main() {
    int wrong = 0;
    const cudaError_t e = encodeClip(3, wrong);
    if (e != cudaSuccess)
        std::printf("ERROR %s\n", cudaGetErrorName(e));
    else if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return e != cudaSuccess || wrong;
}
