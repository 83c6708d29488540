// Sphere ray tracer. Tiles are distributed over workers; idle workers steal from their neighbours.
#include <cuda_runtime.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#define RT_CHECK(e)                                                      \
  do {                                                                   \
    cudaError_t rc_ = (e);                                                 \
    if (rc_) {                                                             \
      std::fprintf(stderr, "rt: %s: %s\n", #e, cudaGetErrorString(rc_));   \
      std::abort();                                                      \
    }                                                                    \
  } while (0)

constexpr int kTile = 64;

struct Sphere {
  float x, y, z, r;
};
__constant__ Sphere c_scene[16];

__global__ void trace(float* tile, int tx, int ty, int w, int h, int count, int samples) {
  int lx = threadIdx.x + blockIdx.x * blockDim.x, ly = threadIdx.y + blockIdx.y * blockDim.y;
  if (lx >= kTile || ly >= kTile) return;
  float acc = 0;
  for (int s = 0; s < samples; ++s) {
    float u = (tx * kTile + lx + s / float(samples)) / w * 2 - 1, v = (ty * kTile + ly) / float(h) * 2 - 1;
    float inv = rsqrtf(u * u + v * v + 1), dx = u * inv, dy = v * inv, dz = inv, best = 1e30f;
    for (int i = 0; i < count; ++i) {
      Sphere q = c_scene[i];
      float b = dx * q.x + dy * q.y + dz * q.z, c = q.x * q.x + q.y * q.y + q.z * q.z - q.r * q.r, d = b * b - c;
      if (d > 0 && b - sqrtf(d) > 0) best = fminf(best, b - sqrtf(d));
    }
    acc += best < 1e29f ? 1.f / (1.f + best) : 0.05f;
  }
  tile[ly * kTile + lx] = acc / samples;
}

struct Tile {
  int x, y;
};

struct Worker {
  int id = 0;
  cudaStream_t stream{};
  float *d_tile{}, *h_tile{};
  std::mutex gpu;
  std::mutex m;
  std::deque<Tile> todo;
  int rendered = 0, stolen = 0;

  explicit Worker(int i) : id(i) {
    RT_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    RT_CHECK(cudaMalloc(&d_tile, kTile * kTile * sizeof(float)));
    RT_CHECK(cudaMallocHost(&h_tile, kTile * kTile * sizeof(float)));
  }
  ~Worker() {
    cudaStreamSynchronize(stream);
    cudaFree(d_tile);
    cudaFreeHost(h_tile);
    cudaStreamDestroy(stream);
  }
  bool take(Tile& t, bool back) {
    std::lock_guard<std::mutex> l(m);
    if (todo.empty()) return false;
    t = back ? todo.back() : todo.front();
    back ? todo.pop_back() : todo.pop_front();
    return true;
  }
};

class Renderer {
 public:
  Renderer(int w, int h, int workers, int samples) : w_(w), h_(h), samples_(samples), image_(size_t(w) * h) {
    Sphere s[16];
    for (int i = 0; i < 16; ++i) s[i] = {(i % 4 - 1.5f) * 1.2f, (i / 4 - 1.5f) * 1.2f, 4.f + i * 0.1f, 0.5f};
    RT_CHECK(cudaMemcpyToSymbol(c_scene, s, sizeof s));
    for (int i = 0; i < workers; ++i) pool_.push_back(std::make_unique<Worker>(i));
    int k = 0;
    for (int y = 0; y < h / kTile; ++y)
      for (int x = 0; x < w / kTile; ++x, ++k) pool_[k % 3 == 0 ? 0 : k % workers]->todo.push_back({x, y});
    RT_CHECK(cudaDeviceSynchronize());
  }
  void render() {
    std::vector<std::thread> th;
    for (auto& w : pool_) th.emplace_back([this, p = w.get()] { loop(*p); });
    for (auto& t : th) t.join();
    for (auto& w : pool_) std::printf("worker %d: %d tiles, %d stolen\n", w->id, w->rendered, w->stolen);
  }
  double mean() const {
    double s = 0;
    for (float v : image_) s += v;
    return s / image_.size();
  }

 private:
  void loop(Worker& self) {
    Tile t;
    while (self.take(t, false)) shade(self, self, t);
    for (size_t i = 1; i < pool_.size(); ++i) {
      Worker& victim = *pool_[(self.id + i) % pool_.size()];
      while (victim.take(t, true)) {
        shade(self, victim, t);
        ++self.stolen;
      }
    }
  }
  void shade(Worker& self, Worker& ctx, Tile t) {
    std::lock_guard<std::mutex> l(ctx.gpu);
    submit(ctx, t);
    finish(self);
    resolve(ctx.h_tile, t);
    ++self.rendered;
  }
  void submit(Worker& c, Tile t) {
    dim3 b(16, 16), g(kTile / 16, kTile / 16);
    trace<<<g, b, 0, c.stream>>>(c.d_tile, t.x, t.y, w_, h_, 16, samples_);
    RT_CHECK(cudaGetLastError());
    RT_CHECK(cudaMemcpyAsync(c.h_tile, c.d_tile, kTile * kTile * sizeof(float), cudaMemcpyDeviceToHost, c.stream));
  }
  void finish(Worker& c) { RT_CHECK(cudaStreamSynchronize(c.stream)); }
  void resolve(const float* src, Tile t) {
    for (int y = 0; y < kTile; ++y)
      for (int x = 0; x < kTile; ++x) image_[size_t(t.y * kTile + y) * w_ + t.x * kTile + x] = src[y * kTile + x];
  }
  int w_, h_, samples_;
  std::vector<float> image_;
  std::vector<std::unique_ptr<Worker>> pool_;
};

int main(int argc, char** argv) {
  int workers = argc > 1 ? std::stoi(argv[1]) : 4;
  int samples = argc > 2 ? std::stoi(argv[2]) : 32;
  Renderer r(1024, 768, workers, samples);
  r.render();
  std::printf("mean luminance %.6f\n", r.mean());
  return 0;
}
