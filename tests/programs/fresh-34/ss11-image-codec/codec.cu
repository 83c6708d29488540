#include "codec.hpp"

#include <cstring>

namespace codec {

std::vector<std::int8_t> encode(std::vector<std::uint8_t> const& grey, geometry g, int step)
{
  std::vector<std::int8_t> packed(grey.size());
  for (int y = 0; y < g.height; ++y) {
    int last = 0;
    for (int x = 0; x < g.width; ++x) {
      auto const i = static_cast<std::size_t>(y) * g.width + x;
      int const q  = (grey[i] - last) / step;
      packed[i]    = static_cast<std::int8_t>(q);
      last += q * step;
    }
  }
  return packed;
}

namespace detail {

void slot::create(geometry g)
{
  ok(cudaHostAlloc(&packed, g.pixels(), cudaHostAllocDefault));
  ok(cudaMalloc(&d_packed, g.pixels()));
  ok(cudaMalloc(&d_grey, g.pixels()));
  ok(cudaMalloc(&d_rgb, g.pixels() * sizeof(rgb)));
  ok(cudaHostAlloc(&out, g.pixels() * sizeof(rgb), cudaHostAllocDefault));
  std::memset(out, 0, g.pixels() * sizeof(rgb));
  ok(cudaEventCreateWithFlags(&done, cudaEventDisableTiming | cudaEventBlockingSync));
}

void slot::destroy()
{
  cudaEventDestroy(done);
  cudaFreeHost(out);
  cudaFree(d_rgb);
  cudaFree(d_grey);
  cudaFree(d_packed);
  cudaFreeHost(packed);
}

slot_ring::slot_ring(geometry g, int n)
{
  for (int i = 0; i < n; ++i) {
    all_.push_back(std::make_unique<slot>());
    all_.back()->create(g);
    idle_.push_back(all_.back().get());
  }
}

slot_ring::~slot_ring()
{
  cudaDeviceSynchronize();
  for (auto& s : all_) s->destroy();
}

slot* slot_ring::take()
{
  std::lock_guard<std::mutex> lock(mutex_);
  if (idle_.empty()) throw error("no free slot");
  slot* s = idle_.back();
  idle_.pop_back();
  return s;
}

void slot_ring::give(slot* s)
{
  std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(s);
}

namespace {

__global__ void integrate_rows(std::int8_t const* packed, std::uint8_t* grey, int w, int h, int step)
{
  int const y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= h) return;
  int v = 0;
  for (int x = 0; x < w; ++x) {
    v += packed[static_cast<std::size_t>(y) * w + x] * step;
    grey[static_cast<std::size_t>(y) * w + x] = static_cast<std::uint8_t>(v);
  }
}

template <tint Look>
__global__ void colour(std::uint8_t const* grey, rgb* out, std::size_t n)
{
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint8_t const v = grey[i];
    if constexpr (Look == tint::sepia) out[i] = rgb{v, static_cast<std::uint8_t>(v * 3 / 4), static_cast<std::uint8_t>(v / 2)};
    else out[i] = rgb{v, v, v};
  }
}

}  // namespace
}  // namespace detail

decoder::decoder(builder const& b, cudaStream_t stream)
  : g_(b.g_), step_(b.step_), tint_(b.tint_), stream_(stream), ring_(std::make_shared<detail::slot_ring>(b.g_, b.slots_))
{
}

pending_image decoder::decode(std::vector<std::int8_t> const& packed)
{
  if (packed.size() != g_.pixels()) throw error("size mismatch");
  detail::slot* s = ring_->take();
  std::memcpy(s->packed, packed.data(), packed.size());
  ok(cudaMemcpyAsync(s->d_packed, s->packed, packed.size(), cudaMemcpyHostToDevice, stream_));
  detail::integrate_rows<<<(g_.height + 63) / 64, 64, 0, stream_>>>(s->d_packed, s->d_grey, g_.width, g_.height, step_);
  if (tint_ == tint::sepia) detail::colour<tint::sepia><<<64, 256, 0, stream_>>>(s->d_grey, s->d_rgb, g_.pixels());
  else detail::colour<tint::none><<<64, 256, 0, stream_>>>(s->d_grey, s->d_rgb, g_.pixels());
  ok(cudaGetLastError());
  ok(cudaMemcpyAsync(s->out, s->d_rgb, g_.pixels() * sizeof(rgb), cudaMemcpyDeviceToHost, stream_));
  ok(cudaEventRecord(s->done, stream_));
  return pending_image(ring_, s, g_);
}

}  // namespace codec
