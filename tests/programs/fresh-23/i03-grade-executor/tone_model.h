#pragma once

#include <cstddef>

namespace tonelab {

enum class Profile { Daylight, Tungsten, Night };

struct StageCoeff {
  float gain;
  float bias;
  float lo;
  float hi;
};

// Grading curves as a chain of clamped affine stages.
class ToneModel {
 public:
  explicit ToneModel(int stages) : stages_(stages) {}

  int stages() const { return stages_; }

  void fill(Profile profile, StageCoeff* out) const {
    const float warmth = profile == Profile::Daylight ? 1.0f : profile == Profile::Tungsten ? 1.35f : 0.6f;
    for (int s = 0; s < stages_; ++s) {
      out[s].gain = warmth * (0.9f + 0.05f * static_cast<float>(s));
      out[s].bias = 0.01f * static_cast<float>(s + static_cast<int>(profile));
      out[s].lo = 0.0f;
      out[s].hi = 4.0f - 0.25f * static_cast<float>(s);
    }
  }

 private:
  int stages_;
};

}  // namespace tonelab
