// A bank of voices. Each voice renders its part of a period on the device and
// brings it into its track; the mixer adds up the tracks on the host.
#pragma once

#include "host_memory.h"

#include <memory>

namespace synth {

struct Track {
    int pitch = 0;
    Samples<float> pcm;
};

struct Patch {
    int voices = 6;
    std::size_t frames = 65536;
    unsigned long long renderTime = 40'000'000;      // ns per voice and period
};

class Voice {
public:
    explicit Voice(const Patch& patch);
    ~Voice();
    Voice(const Voice&) = delete;
    Voice& operator=(const Voice&) = delete;

    void render(int period, Track& track);
    void finish();

private:
    Patch patch_;
    float* wave_ = nullptr;
    cudaStream_t stream_ = nullptr;
};

class Bank {
public:
    explicit Bank(const Patch& patch);

    void period(int number);                          // all voices, until their tracks are there
    void mix(std::vector<float>& out) const;
    int pitch(int voice) const { return tracks_[voice].pitch; }

private:
    std::vector<std::unique_ptr<Voice>> voices_;
    std::vector<Track> tracks_;
};

} // namespace synth
