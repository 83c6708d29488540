#pragma once
#include "sync_word.h"
#include <vector>

struct MixConfig {
    int frames = 12;
    int pixels = 1 << 18;
    int samples = 4800;
    int ring = 3;
};

// Renders video on one stream and audio on another; both stay in lip sync within a frame.
class Mixer {
  public:
    explicit Mixer(const MixConfig& cfg);
    ~Mixer();
    Mixer(const Mixer&) = delete;

    void push(int frame);
    void finish();
    std::vector<std::uint32_t> video_levels() const;
    std::vector<std::uint32_t> audio_levels() const;

  private:
    void render_video(int frame);
    void render_audio(int frame);

    MixConfig cfg_;
    cudaStream_t video_ = nullptr, audio_ = nullptr;
    std::vector<cudaEvent_t> picture_done_;
    FrameClock audio_clock_;
    std::uint32_t* canvas_ = nullptr;    // ring of pictures
    std::uint32_t* track_ = nullptr;     // ring of sample blocks
    std::uint32_t* loudness_ = nullptr;  // per frame
    std::uint32_t* brightness_ = nullptr;
};
