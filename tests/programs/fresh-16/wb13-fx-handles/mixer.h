#pragma once
#include <memory>
#include <vector>

#include "fx.h"

namespace mixer {

void check(fx_status s);
void check(cudaError_t rc);

// One voice: a stream, a buffer and the effect handles working on it.
class Track {
public:
    Track(int samples, int gain, int reverb_ms);
    ~Track();

    void load(const std::vector<int>& pcm);
    void render();
    void finish() { check(cudaStreamSynchronize(stream_)); }
    std::vector<int> samples() const;
    int peak() const;
private:
    int n_;
    int* buffer_ = nullptr;
    int* peak_ = nullptr;
    cudaStream_t stream_ = nullptr;
    fx_handle effect_ = nullptr;
    fx_handle meter_ = nullptr;
};

class Desk {
public:
    void add(std::unique_ptr<Track> t) { tracks_.push_back(std::move(t)); }
    Track& track(std::size_t i) { return *tracks_[i]; }
    std::size_t size() const { return tracks_.size(); }
    // Renders the first `count` tracks side by side; returns the seconds taken.
    double render(std::size_t count);
private:
    std::vector<std::unique_ptr<Track>> tracks_;
};
}  // namespace mixer
