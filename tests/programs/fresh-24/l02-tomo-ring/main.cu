#include "recon.h"

using tomo::Pixel;

static Pixel detector(int v, int i)
{
    Pixel h = static_cast<Pixel>(v) * 0x9E3779B9u + static_cast<Pixel>(i) * 0x85EBCA6Bu;
    h ^= h >> 15;
    return h * 0x2C1B3C6Du;
}

int main()
{
    tomo::Geometry geo;
    tomo::Reconstructor recon(geo);
    recon.run([&](int v, Pixel* dst) {
        for (int i = 0; i < geo.pixels; ++i)
            dst[i] = detector(v, i);
    });
    const auto volume = recon.volume();

    long wrong = 0;
    for (int i = 0; i < geo.pixels; ++i) {
        Pixel want = 0;
        for (int v = 0; v < geo.views; ++v)
            want = want * 3u + detector(v, i) * (2u * v + 1u);
        wrong += want != volume[i];
    }
    if (wrong) {
        std::printf("WRONG %ld\n", wrong);
        return 2;
    }
    std::printf("DONE\n");
    return 0;
}
