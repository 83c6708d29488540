// Tiled image compression: the tiles of one picture are encoded side by side.
#include "tiles.h"
#include <chrono>

using Clock = std::chrono::steady_clock;

static double millis(Clock::time_point a, Clock::time_point b)
{
    return std::chrono::duration<double, std::milli>(b - a).count();
}

struct Config {
    int tiles = 12;
    int lanes = 4;
    int pixels = 1 << 18;
};

int main()
{
    const Config cfg;
    std::unique_ptr<DeviceAllocator> alloc = std::make_unique<BinAllocator>();
    TileEncoder encoder(*alloc);

    std::vector<cudaStream_t> lanes(cfg.lanes);
    for (auto &s : lanes)
        CU(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));

    const std::size_t total = (std::size_t)cfg.tiles * cfg.pixels;
    std::vector<unsigned char> image(total);
    for (std::size_t i = 0; i < total; ++i)
        image[i] = (unsigned char)((i * 29) >> 2);

    unsigned char *src = nullptr;
    int *dst = nullptr;
    CU(cudaMalloc(&src, total));
    CU(cudaMalloc(&dst, total * sizeof(int)));
    CU(cudaMemcpy(src, image.data(), total, cudaMemcpyHostToDevice));
    CU(cudaDeviceSynchronize());

    auto job = [&](int t) {
        return TileJob{src + (std::size_t)t * cfg.pixels, dst + (std::size_t)t * cfg.pixels, cfg.pixels, 1 + t};
    };

    for (int l = 0; l < cfg.lanes; ++l)
        encoder.encode(job(l), lanes[l]);
    CU(cudaDeviceSynchronize());
    auto a = Clock::now();
    encoder.encode(job(0), lanes[0]);
    CU(cudaStreamSynchronize(lanes[0]));
    const double single = millis(a, Clock::now());

    a = Clock::now();
    for (int t = 0; t < cfg.tiles; ++t)
        encoder.encode(job(t), lanes[t % cfg.lanes]);
    for (auto s : lanes)
        CU(cudaStreamSynchronize(s));
    const double picture = millis(a, Clock::now());

    std::vector<int> got(total);
    CU(cudaMemcpy(got.data(), dst, total * sizeof(int), cudaMemcpyDeviceToHost));
    long wrong = 0;
    for (int t = 0; t < cfg.tiles; ++t)
        for (int i = 0; i < cfg.pixels; ++i) {
            const unsigned char *p = &image[(std::size_t)t * cfg.pixels];
            if (got[(std::size_t)t * cfg.pixels + i] != ((int)p[i] - (i > 0 ? (int)p[i - 1] : 0)) * (1 + t))
                ++wrong;
        }

    for (auto s : lanes)
        CU(cudaStreamDestroy(s));
    CU(cudaFree(src));
    CU(cudaFree(dst));
    alloc.reset();

    const double ratio = picture / (single * ((cfg.tiles + cfg.lanes - 1) / cfg.lanes));
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
