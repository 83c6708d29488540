#pragma once
#include "vec.h"

struct Hit {
  int layer;
  int phi;
};

struct Track {
  int curvature;
  int quality;
};

constexpr int kHits = 4096;
constexpr int kTracks = kHits / 4;
constexpr int kFitMs = 20;

// One quarter of the detector. An event goes through all the states below.
class Sector {
 public:
  enum class State { Load, Seed, Fit, Collect, Done };

  Sector(int id, int events);
  ~Sector();
  Sector(const Sector&) = delete;

  void process(int event);
  void flush() const { RECO_OK(cudaStreamSynchronize(stream_)); }
  int check() const;

 private:
  State step(State s, int event);
  static Hit hit(int id, int event, int i) { return {i % 4, (i * 29 + event * 7 + id * 3) % 1021}; }

  int id_;
  int events_;
  cudaStream_t stream_ = nullptr;
  Hit* hits_dev_ = nullptr;
  int* seeds_dev_ = nullptr;
  Track* tracks_dev_ = nullptr;
  HostVec<Hit> hits_;
  std::vector<Track> tracks_;
};
