#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#define WALL_TRY(expr) ::wall::expect((expr))

namespace wall {

inline void expect(cudaError_t e) {
  if (e != cudaSuccess) {
    printf("ERROR %s\n", cudaGetErrorName(e));
    fflush(stdout);
    _Exit(1);
  }
}

struct Rect {
  int x, y, w, h;
};

struct Canvas {
  unsigned* pixels;
  int width, height;
};

__host__ __device__ inline unsigned shade(unsigned kind, int x, int y, int frame) {
  return kind * 1000003u + unsigned(x) * 31u + unsigned(y) * 17u + unsigned(frame) * 101u;
}

// Something that can paint its part of the wall.
class Source {
 public:
  explicit Source(Rect r);
  virtual ~Source();
  Source(const Source&) = delete;

  void render(const Canvas& c, int frame, cudaEvent_t canvas_free);
  void hand_over(cudaStream_t to) const { WALL_TRY(cudaStreamWaitEvent(to, painted_, 0)); }
  const Rect& rect() const { return rect_; }
  virtual unsigned kind() const = 0;

 protected:
  virtual void paint(const Canvas& c, int frame, cudaStream_t s) = 0;

 private:
  Rect rect_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t painted_ = nullptr;
};

std::unique_ptr<Source> make_camera(Rect r);
std::unique_ptr<Source> make_ticker(Rect r);

}  // namespace wall
