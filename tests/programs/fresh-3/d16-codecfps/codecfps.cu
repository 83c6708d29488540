#include <chrono>
#include <string_view>

#include "pipeline.h"

struct Cli {
    int frames = 64;
    int preroll = 8;
    int kib = 256;
    int entropy_us = 3000;

    Cli(int argc, char** argv) {
        for (int i = 1; i < argc; ++i) {
            std::string_view a(argv[i]);
            auto take = [&](std::string_view key, int& v) {
                if (a.substr(0, key.size()) == key) v = std::atoi(argv[i] + key.size());
            };
            take("--frames=", frames);
            take("--preroll=", preroll);
            take("--kib=", kib);
            take("--entropy-us=", entropy_us);
        }
    }
};

struct PinnedFrames {
    std::vector<uint8_t*> p;
    PinnedFrames(int n, size_t bytes) : p(n) {
        for (auto& b : p) expect_ok(cudaMallocHost(&b, bytes));
    }
    ~PinnedFrames() {
        for (auto* b : p) cudaFreeHost(b);
    }
};

int main(int argc, char** argv) {
    const Cli cli(argc, argv);
    const size_t bytes = size_t(cli.kib) << 10;
    size_t wrong = 0;
    double off = 0;
    {
        PinnedFrames src(cli.frames, bytes), dst(cli.frames, bytes);
        for (int f = 0; f < cli.frames; ++f)
            for (size_t i = 0; i < bytes; ++i) src.p[f][i] = uint8_t(i * 13 + (i >> 9) + f * 5);
        std::vector<const uint8_t*> in(src.p.begin(), src.p.end());

        Pipeline pipe(bytes, cli.entropy_us);
        Event first(cudaEventDefault), steady(cudaEventDefault), last(cudaEventDefault);

        using clock = std::chrono::steady_clock;
        const auto t0 = clock::now();
        expect_ok(cudaEventRecord(first, pipe.upload_stream()));
        pipe.encode(in, dst.p, [&](int i, cudaStream_t s) {
            if (i == cli.preroll - 1) expect_ok(cudaEventRecord(steady, s));
            if (i == cli.frames - 1) expect_ok(cudaEventRecord(last, s));
        });
        const double submit_ms = std::chrono::duration<double, std::milli>(clock::now() - t0).count();
        expect_ok(cudaEventSynchronize(last));
        const double wall_ms = std::chrono::duration<double, std::milli>(clock::now() - t0).count();

        float all_ms = 0, steady_ms = 0;
        expect_ok(cudaEventElapsedTime(&all_ms, first, last));
        expect_ok(cudaEventElapsedTime(&steady_ms, steady, last));
        const double fps = 1e3 * (cli.frames - cli.preroll) / steady_ms;
        std::printf("submit %.2f ms, wall %.2f ms, device %.2f ms\n", submit_ms, wall_ms, all_ms);
        std::printf("steady state %.1f fps, %.2f GB/s\n", fps, fps * bytes / 1e9);

        for (int f = 0; f < cli.frames; ++f)
            for (size_t i = 0; i < bytes; ++i) {
                uint8_t want = transform_byte(src.p[f][i], src.p[f][i + 1 < bytes ? i + 1 : 0], uint8_t(f * 7 + 1));
                wrong += dst.p[f][i] != want;
            }

        // the same clip once more, timed from outside
        const auto r0 = clock::now();
        pipe.encode(in, dst.p, nullptr);
        expect_ok(cudaDeviceSynchronize());
        const double again_ms = std::chrono::duration<double, std::milli>(clock::now() - r0).count();
        const double honest = 1e3 * cli.frames / again_ms;
        off = fps > honest ? fps / honest : honest / fps;
    }
    if (wrong) std::printf("WRONG %zu\n", wrong);
    else if (off > 1.5) std::printf("SLOW %.2f\n", off);
    else std::printf("DONE\n");
    return 0;
}
