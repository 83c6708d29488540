#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "filter.cuh"

using Clock = std::chrono::steady_clock;

class Channel {
public:
    explicit Channel(Geometry g) : g_(g) {
        GPU(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        GPU(cudaMalloc(&in_, g.bytes()));
        GPU(cudaMalloc(&out_, g.bytes()));
    }
    ~Channel() {
        cudaFree(in_);
        cudaFree(out_);
        cudaStreamDestroy(stream_);
    }
    Channel(const Channel&) = delete;

    void process(const FrameBuffer& src, FrameBuffer& dst, int search_us) {
        GPU(cudaMemcpyAsync(in_, src.get(), g_.bytes(), cudaMemcpyHostToDevice, stream_));
        enqueue_denoise(in_, out_, g_, search_us, stream_);
        GPU(cudaGetLastError());
        GPU(cudaMemcpyAsync(dst.get(), out_, g_.bytes(), cudaMemcpyDeviceToHost, stream_));
    }
    void drain() { GPU(cudaStreamSynchronize(stream_)); }

private:
    Geometry g_;
    cudaStream_t stream_{};
    uint8_t *in_ = nullptr, *out_ = nullptr;
};

static std::map<std::string, int> options(int argc, char** argv) {
    std::map<std::string, int> o{{"width", 640}, {"height", 360}, {"frames", 32}, {"channels", 4}, {"search-us", 9000}};
    for (int i = 1; i + 1 < argc; i += 2) {
        std::string k = argv[i];
        if (k.rfind("--", 0) == 0 && o.count(k.substr(2))) o[k.substr(2)] = std::stoi(argv[i + 1]);
    }
    return o;
}

int main(int argc, char** argv) {
    auto opt = options(argc, argv);
    const Geometry g{opt["width"], opt["height"]};
    const int frames = opt["frames"], lanes = opt["channels"], search_us = opt["search-us"];

    std::vector<FrameBuffer> clip, result;
    for (int f = 0; f < frames; ++f) {
        clip.push_back(make_frame(g.bytes()));
        result.push_back(make_frame(g.bytes()));
        for (size_t i = 0; i < g.bytes(); ++i) clip[f][i] = uint8_t((i * 31 + (i >> 7) * 17 + f * 29) >> 2);
    }
    std::vector<std::unique_ptr<Channel>> channels;
    for (int i = 0; i < lanes; ++i) channels.push_back(std::make_unique<Channel>(g));

    for (auto& c : channels) {
        c->process(clip[0], result[0], 50);
        c->drain();
    }
    auto t0 = Clock::now();
    const int probes = 4;
    for (int i = 0; i < probes; ++i) {
        channels[0]->process(clip[i], result[i], search_us);
        channels[0]->drain();
    }
    double latency = std::chrono::duration<double>(Clock::now() - t0).count() / probes;
    for (auto& r : result) r[0] = 0, r[g.bytes() - 1] = 0;

    t0 = Clock::now();
    for (int f = 0; f < frames; ++f) channels[f % lanes]->process(clip[f], result[f], search_us);
    for (auto& c : channels) c->drain();
    double wall = std::chrono::duration<double>(Clock::now() - t0).count();

    size_t wrong = 0;
    for (int f = 0; f < frames; ++f)
        for (int y = 0; y < g.height; ++y)
            for (int x = 0; x < g.width; ++x) {
                size_t i = size_t(y) * g.width + x;
                int up = clip[f][y ? i - g.width : i], down = clip[f][y + 1 < g.height ? i + g.width : i];
                wrong += result[f][i] != denoise_tap(up, clip[f][i], down);
            }
    const double planned = latency * ((frames + lanes - 1) / lanes);
    std::printf("latency %.2f ms, %.1f fps on %d channels (planned %.1f fps)\n", latency * 1e3, frames / wall, lanes,
                frames / planned);
    channels.clear();
    if (wrong) std::printf("WRONG %zu\n", wrong);
    else if (wall / planned > 1.5) std::printf("SLOW %.2f\n", wall / planned);
    else std::printf("DONE\n");
    return 0;
}
