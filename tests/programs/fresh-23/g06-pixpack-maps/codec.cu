#include "block_encoder.cuh"

#include <functional>
#include <map>

namespace pixpack {
namespace {

struct walsh {
  static constexpr const char* name = "walsh";
  __device__ static void apply(float* v, int stride) {
    for (int half = 1; half < 8; half *= 2) {
      for (int i = 0; i < 8; ++i) {
        if (i & half) continue;
        const float a = v[i * stride], b = v[(i + half) * stride];
        v[i * stride] = a + b;
        v[(i + half) * stride] = a - b;
      }
    }
  }
};

struct haar {
  static constexpr const char* name = "haar";
  __device__ static void apply(float* v, int stride) {
    float t[8];
    for (int n = 8; n > 1; n /= 2) {
      for (int i = 0; i < n / 2; ++i) {
        const float a = v[2 * i * stride], b = v[(2 * i + 1) * stride];
        t[i] = 0.5f * (a + b);
        t[n / 2 + i] = 0.5f * (a - b);
      }
      for (int i = 0; i < n; ++i) v[i * stride] = t[i];
    }
  }
};

using maker = std::function<std::unique_ptr<encoder>(int, int)>;

template <class Transform>
maker maker_of() {
  return [](int w, int h) { return std::make_unique<detail::block_encoder<Transform>>(w, h); };
}

const std::map<std::string, maker>& profiles() {
  static const std::map<std::string, maker> all{{walsh::name, maker_of<walsh>()}, {haar::name, maker_of<haar>()}};
  return all;
}

}  // namespace

std::unique_ptr<encoder> make_encoder(const std::string& profile, int max_width, int max_height) {
  const auto found = profiles().find(profile);
  if (found == profiles().end()) throw std::invalid_argument("no profile " + profile);
  return found->second(max_width, max_height);
}

}  // namespace pixpack
