#include "codec.h"

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

static void expect(int status)
{
    if (status == 0) return;
    std::printf("ERROR %s\n", cudaGetErrorName(static_cast<cudaError_t>(status)));
    std::exit(1);
}

int main()
{
    const codec_config config = {5, 40000};
    const int frames = 10;

    codec_session* session = nullptr;
    codec_meter* meter = nullptr;
    expect(codec_open(&config, &session));
    expect(codec_meter_create(session, &meter));

    float metered = 0;
    expect(codec_meter_begin(meter));
    for (int f = 0; f < frames; ++f) expect(codec_encode(session, f));
    expect(codec_meter_end(meter, &metered));

    const auto t0 = std::chrono::steady_clock::now();
    for (int f = 0; f < frames; ++f) expect(codec_encode(session, f));
    expect(static_cast<int>(cudaDeviceSynchronize()));
    const double wall =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();

    const long off = codec_check(session, frames - 1);
    expect(codec_meter_destroy(meter));
    expect(codec_close(session));

    std::printf("%.3f ms per frame\n", metered / frames);
    const double ratio = metered > wall ? metered / wall : wall / metered;
    if (off)
        std::printf("WRONG %ld\n", off);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
