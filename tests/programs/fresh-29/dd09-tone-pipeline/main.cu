// Tone mapping of a clip whose size changes on the way.
#include "pipeline.h"

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

unsigned char texel(int frame, int i) {
  unsigned h = (frame * 7919u + i) * 2246822519u;
  return static_cast<unsigned char>((h >> 17) ^ (i >> 6));
}

Dims size_of(int frame) {
  if (frame < 14) return Dims{320, 240};
  if (frame < 30) return Dims{512, 384};
  return Dims{320, 240};
}

}  // namespace

int main() {
  constexpr int kFrames = 44;
  try {
    int bad = 0, seen = 0;
    std::vector<unsigned char> want;
    Pipeline pipeline([&](const ToneParams& p, const unsigned char* in, const unsigned char* out,
                          Dims d) {
      want.resize(d.pixels());
      reference(in, want.data(), d, p);
      bad += std::memcmp(want.data(), out, want.size()) != 0;
      bad += p.frame != seen++;
    });
    for (int f = 0; f < kFrames; ++f) {
      const ToneParams p{9 + f % 11, f};
      pipeline.submit(size_of(f), p, [f](unsigned char* pixels, Dims d) {
        for (int i = 0; i < d.pixels(); ++i) pixels[i] = texel(f, i);
      });
    }
    pipeline.flush();
    bad += seen != kFrames;
    std::printf("%d frames, %d replays\n", seen, pipeline.replays());
    if (bad)
      std::printf("WRONG %d\n", bad);
    else
      std::printf("DONE\n");
    return 0;
  } catch (const CudaError& e) {
    std::printf("ERROR %s\n", e.what());
    return 1;
  }
}
