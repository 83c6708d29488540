#include "mixer.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace mixer {

void check(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}
void check(fx_status s) {
    if (s == FX_OK) return;
    const cudaError_t rc = cudaGetLastError();
    check(rc == cudaSuccess ? cudaErrorUnknown : rc);
}

Track::Track(int samples, int gain, int reverb_ms) : n_(samples) {
    check(cudaMalloc(&buffer_, n_ * sizeof(int)));
    check(cudaMalloc(&peak_, sizeof(int)));
    check(cudaStreamCreate(&stream_));
    check(fx_create(&effect_));
    check(fx_set_stream(effect_, stream_));
    check(fx_set_gain(effect_, gain));
    check(fx_set_reverb_ms(effect_, reverb_ms));
    check(fx_clone(&meter_, effect_));
}

Track::~Track() {
    fx_destroy(meter_);
    fx_destroy(effect_);
    cudaStreamDestroy(stream_);
    cudaFree(peak_);
    cudaFree(buffer_);
}

void Track::load(const std::vector<int>& pcm) {
    check(cudaMemcpy(buffer_, pcm.data(), n_ * sizeof(int), cudaMemcpyHostToDevice));
}

void Track::render() {
    check(fx_reverb(effect_, buffer_, n_));
    check(fx_peak(meter_, buffer_, n_, peak_));
}

std::vector<int> Track::samples() const {
    std::vector<int> out(n_);
    check(cudaMemcpy(out.data(), buffer_, n_ * sizeof(int), cudaMemcpyDeviceToHost));
    return out;
}

int Track::peak() const {
    int p = 0;
    check(cudaMemcpy(&p, peak_, sizeof(int), cudaMemcpyDeviceToHost));
    return p;
}

double Desk::render(std::size_t count) {
    const auto t0 = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < count; ++i) tracks_[i]->render();
    for (std::size_t i = 0; i < count; ++i) tracks_[i]->finish();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
}
}  // namespace mixer
