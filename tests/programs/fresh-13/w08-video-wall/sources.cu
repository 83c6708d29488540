#include "wall.h"

namespace wall {

namespace {

__device__ void pace(unsigned us) {
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  } while (t - t0 < us * 1000ull);
}

__global__ void debayer(Canvas c, Rect r, unsigned kind, int frame) {
  pace(6000);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < r.w * r.h; i += gridDim.x * blockDim.x) {
    int x = r.x + i % r.w, y = r.y + i / r.w;
    c.pixels[y * c.width + x] = shade(kind, x, y, frame);
  }
}

__global__ void scroll_text(Canvas c, Rect r, unsigned kind, int frame) {
  pace(1000);
  int x = r.x + threadIdx.x, y = r.y + blockIdx.x;
  if (threadIdx.x < r.w) c.pixels[y * c.width + x] = shade(kind, x, y, frame);
}

class Camera final : public Source {
 public:
  using Source::Source;
  unsigned kind() const override { return 1; }

 protected:
  void paint(const Canvas& c, int frame, cudaStream_t s) override {
    debayer<<<8, 256, 0, s>>>(c, rect(), kind(), frame);
  }
};

class Ticker final : public Source {
 public:
  using Source::Source;
  unsigned kind() const override { return 2; }

 protected:
  void paint(const Canvas& c, int frame, cudaStream_t s) override {
    scroll_text<<<rect().h, 256, 0, s>>>(c, rect(), kind(), frame);
  }
};

}  // namespace

Source::Source(Rect r) : rect_(r) {
  WALL_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  WALL_TRY(cudaEventCreateWithFlags(&painted_, cudaEventDisableTiming));
}

Source::~Source() {
  cudaEventDestroy(painted_);
  cudaStreamDestroy(stream_);
}

void Source::render(const Canvas& c, int frame, cudaEvent_t canvas_free) {
  WALL_TRY(cudaStreamWaitEvent(stream_, canvas_free, 0));
  paint(c, frame, stream_);
  WALL_TRY(cudaGetLastError());
  WALL_TRY(cudaEventRecord(painted_, stream_));
}

std::unique_ptr<Source> make_camera(Rect r) { return std::make_unique<Camera>(r); }
std::unique_ptr<Source> make_ticker(Rect r) { return std::make_unique<Ticker>(r); }

}  // namespace wall
