#include "frontend.h"
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {

struct StreamHolder {
    cudaStream_t s = nullptr;
    StreamHolder() { mel::ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)); }
    ~StreamHolder() { cudaStreamDestroy(s); }
};

std::int32_t reference(const std::vector<std::int32_t>& x, const mel::FilterbankOptions& o, int hop, int f, int band) {
    std::int32_t acc = 0;
    for (int k = 0; k < o.width; ++k)
        acc += mel::tap(o, band, k) * (x[f * hop + k] - o.preemphasis * x[f * hop + k + 1]);
    return acc >= 0 ? acc >> 1 : -((-acc) >> 1);
}

int run() {
    constexpr int frames = 2000, hop = 160;
    StreamHolder stream;
    mel::Frontend frontend(frames, hop, stream.s);

    std::vector<std::int32_t> audio(frames * hop + mel::Frontend::kMaxTaps);
    unsigned lcg = 7;
    for (auto& v : audio) {
        lcg = lcg * 1664525u + 1013904223u;
        v = static_cast<std::int32_t>(lcg >> 20) - 2048;
    }
    mel::ok(cudaMemcpyAsync(frontend.samples(), audio.data(), audio.size() * sizeof(std::int32_t), cudaMemcpyHostToDevice,
                            stream.s));
    mel::ok(cudaStreamSynchronize(stream.s));

    std::map<std::string, mel::FilterbankOptions> models;
    models["wake-word"] = {32, 24, 2, 0};
    models["dictation"] = {64, 32, 3, 1};
    models["speaker-id"] = {48, 40, 5, 1};

    std::map<std::string, mel::Program> programs;
    for (const auto& [name, opt] : models) programs.emplace(name, frontend.compile(opt));

    std::size_t wrong = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (const auto& [name, opt] : models) {
            programs.at(name).run(stream.s);
            std::vector<std::int32_t> out(std::size_t(frames) * opt.bands);
            mel::ok(cudaMemcpyAsync(out.data(), frontend.features(), out.size() * sizeof(std::int32_t),
                                    cudaMemcpyDeviceToHost, stream.s));
            mel::ok(cudaStreamSynchronize(stream.s));
            for (int f = 0; f < frames; ++f)
                for (int b = 0; b < opt.bands; ++b)
                    wrong += out[std::size_t(f) * opt.bands + b] != reference(audio, opt, hop, f, b);
        }
    }
    if (wrong) std::printf("WRONG %zu\n", wrong);
    else std::puts("DONE");
    return wrong ? 1 : 0;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const mel::error& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
