// Drives a wall of screens: sources paint regions of a shared canvas, the
// compositor tints it in place and reads it back for the encoders.
#include "wall.h"

using namespace wall;

namespace {

constexpr int kWidth = 512, kHeight = 256, kFrames = 24, kBuffers = 2;

__global__ void tint(Canvas c, unsigned gain) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < c.width * c.height) c.pixels[i] = c.pixels[i] * gain + 1u;
}

class Compositor {
 public:
  Compositor() {
    sources_.push_back(make_camera({0, 0, 256, 224}));
    sources_.push_back(make_camera({256, 0, 256, 224}));
    sources_.push_back(make_ticker({0, 224, 256, 32}));
    sources_.push_back(make_ticker({256, 224, 256, 32}));
    WALL_TRY(cudaStreamCreateWithFlags(&out_, cudaStreamNonBlocking));
    for (Buffer& b : buffers_) {
      WALL_TRY(cudaMalloc(&b.canvas.pixels, bytes()));
      b.canvas.width = kWidth;
      b.canvas.height = kHeight;
      WALL_TRY(cudaMallocHost(&b.scanout, bytes()));
      WALL_TRY(cudaEventCreateWithFlags(&b.free, cudaEventDisableTiming));
      WALL_TRY(cudaEventCreateWithFlags(&b.shown, cudaEventDisableTiming));
    }
  }
  ~Compositor() {
    sources_.clear();
    for (Buffer& b : buffers_) {
      cudaEventDestroy(b.free);
      cudaEventDestroy(b.shown);
      cudaFree(b.canvas.pixels);
      cudaFreeHost(b.scanout);
    }
    cudaStreamDestroy(out_);
  }

  void present(int frame) {
    Buffer& b = buffers_[frame % kBuffers];
    retire(b);
    for (auto& s : sources_) s->render(b.canvas, frame, b.free);
    for (auto& s : sources_) s->hand_over(out_);
    tint<<<kWidth * kHeight / 256, 256, 0, out_>>>(b.canvas, gain(frame));
    WALL_TRY(cudaGetLastError());
    WALL_TRY(cudaMemcpyAsync(b.scanout, b.canvas.pixels, bytes(), cudaMemcpyDeviceToHost, out_));
    WALL_TRY(cudaEventRecord(b.free, out_));
    WALL_TRY(cudaEventRecord(b.shown, out_));
    b.frame = frame;
  }

  int drain() {
    for (Buffer& b : buffers_) retire(b);
    return wrong_;
  }

 private:
  struct Buffer {
    Canvas canvas{};
    unsigned* scanout = nullptr;
    cudaEvent_t free = nullptr, shown = nullptr;
    int frame = -1;
  };

  static size_t bytes() { return sizeof(unsigned) * kWidth * kHeight; }
  static unsigned gain(int frame) { return 3u + 2u * unsigned(frame % 4); }

  void retire(Buffer& b) {
    if (b.frame < 0) return;
    WALL_TRY(cudaEventSynchronize(b.shown));
    for (auto& s : sources_) {
      const Rect& r = s->rect();
      for (int y = r.y; y < r.y + r.h; ++y)
        for (int x = r.x; x < r.x + r.w; ++x)
          wrong_ += b.scanout[y * kWidth + x] != shade(s->kind(), x, y, b.frame) * gain(b.frame) + 1u;
    }
    b.frame = -1;
  }

  std::vector<std::unique_ptr<Source>> sources_;
  Buffer buffers_[kBuffers];
  cudaStream_t out_ = nullptr;
  int wrong_ = 0;
};

}  // namespace

int main() {
  Compositor wall;
  for (int f = 0; f < kFrames; ++f) wall.present(f);
  const int wrong = wall.drain();
  if (wrong)
    printf("WRONG %d\n", wrong);
  else
    printf("DONE\n");
  return 0;
}
