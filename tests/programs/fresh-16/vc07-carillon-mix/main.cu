// Renders one second of a carillon: every stroke is synthesised by itself and blended into the tower mix.
#include <cmath>
#include <cstdio>
#include <vector>
#include "bells.cuh"
#include "relay.h"

using carillon::Stroke;
using carillon::kSamples;

namespace {

std::vector<Stroke> westminster() {
    std::vector<Stroke> strokes;
    const int order[] = {5, 3, 4, 1, 1, 4, 5, 3};
    int at = 0;
    for (int bell : order) {
        strokes.push_back({bell, at, 0.2f + 0.05f * static_cast<float>(bell)});
        at += 5200;
    }
    return strokes;
}

// Queues the stroke and returns at once; the strip belongs to the tower's stream from here on.
relay::Strip ring(const Stroke& stroke, cudaStream_t tower) {
    relay::Runner runner(tower);
    relay::Strip strip = relay::Strip::on(runner.stream(), kSamples);
    const Stroke softened{stroke.bell, stroke.start, stroke.weight * 0.5f};
    runner.run([&](cudaStream_t s) { carillon::strike<<<4, 128, 0, s>>>(softened, strip.data, 40'000'000); });
    runner.comeHome();
    return strip;
}

void addTo(float* mix, relay::Strip strip, cudaStream_t tower) {
    carillon::blend<<<16, 128, 0, tower>>>(strip.data, mix);
    relay::check(cudaGetLastError());
    strip.leave(tower);
}

}  // namespace

int main() {
    cudaStream_t tower;
    relay::check(cudaStreamCreateWithFlags(&tower, cudaStreamNonBlocking));
    float* mix = nullptr;
    relay::check(cudaMalloc(&mix, sizeof(float) * kSamples));
    float* wave = nullptr;
    relay::check(cudaMallocHost(&wave, sizeof(float) * kSamples));

    const std::vector<Stroke> strokes = westminster();
    carillon::hush<<<16, 128, 0, tower>>>(mix);
    relay::check(cudaGetLastError());
    {
        std::vector<relay::Strip> strips;
        for (const Stroke& s : strokes) {
            strips.push_back(ring(s, tower));
            if (strips.size() == 2) {
                for (auto& strip : strips) addTo(mix, strip, tower);
                strips.clear();
            }
        }
        for (auto& strip : strips) addTo(mix, strip, tower);
    }
    relay::check(cudaMemcpyAsync(wave, mix, sizeof(float) * kSamples, cudaMemcpyDeviceToHost, tower));
    relay::check(cudaStreamSynchronize(tower));

    int bad = 0;
    for (int n = 0; n < kSamples; ++n) {
        float want = 0.0f;
        for (const Stroke& s : strokes) want += carillon::clang({s.bell, s.start, s.weight * 0.5f}, n);
        if (std::fabs(want - wave[n]) > 1e-3f) ++bad;
    }
    relay::check(cudaFree(mix));
    relay::check(cudaFreeHost(wave));
    relay::check(cudaStreamDestroy(tower));
    if (bad) std::printf("WRONG %d\n", bad);
    else std::printf("DONE\n");
    return 0;
}
