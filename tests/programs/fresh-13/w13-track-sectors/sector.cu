#include "sector.h"

namespace {

__global__ void find_seeds(const Hit* hits, int* seeds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= kTracks) return;
  int sum = 0;
  for (int k = 0; k < 4; ++k) sum += hits[t * 4 + k].phi * (hits[t * 4 + k].layer + 1);
  seeds[t] = sum;
}

__global__ void kalman_fit(const int* seeds, Track* tracks, int ms) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < 1000000ull * ms);
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < kTracks) tracks[t] = Track{seeds[t] * 3, seeds[t] % 101};
}

}  // namespace

Sector::Sector(int id, int events)
    : id_(id), events_(events), hits_(size_t(events) * kHits), tracks_(size_t(events) * kTracks) {
  RECO_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  RECO_OK(cudaMalloc(&hits_dev_, kHits * sizeof(Hit)));
  RECO_OK(cudaMalloc(&seeds_dev_, kTracks * sizeof(int)));
  RECO_OK(cudaMalloc(&tracks_dev_, kTracks * sizeof(Track)));
  for (int e = 0; e < events; ++e)
    for (int i = 0; i < kHits; ++i) hits_[size_t(e) * kHits + i] = hit(id, e, i);
}

Sector::~Sector() {
  cudaStreamDestroy(stream_);
  cudaFree(hits_dev_);
  cudaFree(seeds_dev_);
  cudaFree(tracks_dev_);
}

Sector::State Sector::step(State s, int event) {
  switch (s) {
    case State::Load:
      RECO_OK(cudaMemcpyAsync(hits_dev_, hits_.data() + size_t(event) * kHits, kHits * sizeof(Hit),
                              cudaMemcpyHostToDevice, stream_));
      return State::Seed;
    case State::Seed:
      find_seeds<<<kTracks / 128, 128, 0, stream_>>>(hits_dev_, seeds_dev_);
      RECO_OK(cudaGetLastError());
      return State::Fit;
    case State::Fit:
      kalman_fit<<<kTracks / 128, 128, 0, stream_>>>(seeds_dev_, tracks_dev_, kFitMs);
      RECO_OK(cudaGetLastError());
      return State::Collect;
    case State::Collect:
      RECO_OK(cudaMemcpyAsync(tracks_.data() + size_t(event) * kTracks, tracks_dev_, kTracks * sizeof(Track),
                              cudaMemcpyDeviceToHost, stream_));
      return State::Done;
    case State::Done:
      break;
  }
  return State::Done;
}

void Sector::process(int event) {
  for (State s = State::Load; s != State::Done;) s = step(s, event);
}

int Sector::check() const {
  int wrong = 0;
  for (int e = 0; e < events_; ++e)
    for (int t = 0; t < kTracks; ++t) {
      int sum = 0;
      for (int k = 0; k < 4; ++k) {
        Hit h = hit(id_, e, t * 4 + k);
        sum += h.phi * (h.layer + 1);
      }
      const Track& got = tracks_[size_t(e) * kTracks + t];
      wrong += got.curvature != sum * 3 || got.quality != sum % 101;
    }
  return wrong;
}
