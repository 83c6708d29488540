#include "camera.h"

int main() {
  constexpr unsigned kFrames = 24;
  check(cudaSetDevice(0));
  check(cudaFree(nullptr));
  check(cuInit(0));

  const size_t count = size_t(kFrames) * Camera::kPixels;
  unsigned* raw = nullptr;
  unsigned* developed = nullptr;
  check(cudaMallocHost(&raw, count * sizeof(unsigned)));
  check(cudaMallocHost(&developed, count * sizeof(unsigned)));
  for (size_t i = 0; i < count; ++i) {
    raw[i] = static_cast<unsigned>(i * 2654435761u >> 20) & 0xfffu;
    developed[i] = 0;
  }

  size_t wrong = 0;
  {
    Camera camera;
    for (unsigned frame = 0; frame < kFrames; ++frame) {
      const size_t at = size_t(frame) * Camera::kPixels;
      camera.submit(frame, raw + at, developed + at);
    }
    camera.drain();

    unsigned gain = 1;
    for (unsigned frame = 0; frame < kFrames; ++frame) {
      const size_t at = size_t(frame) * Camera::kPixels;
      for (int i = 0; i < Camera::kPixels; ++i) {
        wrong += developed[at + i] != developPixel(raw[at + i], gain);
      }
      gain = nextGain(gain, developed[at]);
    }
  }

  check(cudaFreeHost(raw));
  check(cudaFreeHost(developed));
  if (wrong != 0) {
    std::printf("WRONG %zu\n", wrong);
    return 1;
  }
  std::puts("DONE");
  return 0;
}
