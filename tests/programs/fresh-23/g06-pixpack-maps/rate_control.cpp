#include "rate_control.hpp"

#include <algorithm>
#include <cmath>

namespace pixpack {

void fill_steps(float* steps, int blocks_x, int blocks_y, const rate& r) {
  const float cx = 0.5f * static_cast<float>(blocks_x - 1);
  const float cy = 0.5f * static_cast<float>(blocks_y - 1);
  const float reach = std::max(1.0f, std::sqrt(cx * cx + cy * cy));
  for (int y = 0; y < blocks_y; ++y) {
    for (int x = 0; x < blocks_x; ++x) {
      const float dx = static_cast<float>(x) - cx;
      const float dy = static_cast<float>(y) - cy;
      const float away = std::sqrt(dx * dx + dy * dy) / reach;
      steps[y * blocks_x + x] = std::max(1.0f, r.base_step * (1.0f + r.falloff * away));
    }
  }
}

}  // namespace pixpack
