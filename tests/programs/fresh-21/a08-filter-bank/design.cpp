#include <cmath>

#include "band_bank.h"

extern "C" void bb_design(float centre, float taps[BB_TAPS]) {
  const double pi = 3.14159265358979323846;
  double gain = 0.0;
  for (int k = 0; k < BB_TAPS; ++k) {
    const double window = 0.5 - 0.5 * std::cos(2.0 * pi * (k + 0.5) / BB_TAPS);
    const double phase = 2.0 * pi * centre * (k - (BB_TAPS - 1) * 0.5);
    taps[k] = static_cast<float>(window * std::cos(phase));
    gain += window;
  }
  for (int k = 0; k < BB_TAPS; ++k) taps[k] = static_cast<float>(2.0 * taps[k] / gain);
}
