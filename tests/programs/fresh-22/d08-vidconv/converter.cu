#include "converter.hpp"

#include <utility>

namespace vidconv {
namespace {

/// Luma averaged over 2 x 2 and the chroma of the quad, as bytes y, u, v, 0.
__global__ void gather_quads(const std::uint8_t* nv12, int width, int height, uchar4* quads) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int w = width / 2, h = height / 2;
  if (x >= w || y >= h) return;
  const std::uint8_t* luma = nv12 + (2 * y) * width + 2 * x;
  const std::uint8_t* chroma = nv12 + width * height + y * width + 2 * x;
  const int sum = luma[0] + luma[1] + luma[width] + luma[width + 1];
  quads[y * w + x] = make_uchar4((sum + 2) / 4, chroma[0], chroma[1], 0);
}

__global__ void to_rgb(const uchar4* quads, int n, bool full_range, float* rgb) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uchar4 q = quads[i];
    const float y = full_range ? q.x / 255.0f : (q.x - 16) / 219.0f;
    const float u = (q.y - 128) / (full_range ? 255.0f : 224.0f);
    const float v = (q.z - 128) / (full_range ? 255.0f : 224.0f);
    rgb[i] = __saturatef(y + 1.5748f * v);
    rgb[n + i] = __saturatef(y - 0.1873f * u - 0.4681f * v);
    rgb[2 * n + i] = __saturatef(y + 1.8556f * u);
  }
}

bool valid(const Format& f) {
  return f.width > 0 && f.height > 0 && f.width % 2 == 0 && f.height % 2 == 0;
}

std::size_t surface_bytes(const Format& f) {
  return static_cast<std::size_t>(f.width / 2) * (f.height / 2) * sizeof(uchar4);
}

}  // namespace

Converter::Converter(const Format& format, std::size_t depth) : format_(format), pool_(depth) {
  pool_.reconfigure(surface_bytes(format_));
}

Status Converter::set_format(const Format& format) {
  if (!valid(format)) return Status::bad_argument;
  format_ = format;
  pool_.reconfigure(surface_bytes(format_));
  return Status::ok;
}

Status Converter::convert(const std::uint8_t* nv12, float* rgb, cudaStream_t stream) {
  if (!nv12 || !rgb || !valid(format_)) return Status::bad_argument;
  SurfacePtr surface = pool_.acquire(stream);
  if (!surface) return Status::cuda_error;
  auto* quads = reinterpret_cast<uchar4*>(surface->data());
  const int w = format_.width / 2, h = format_.height / 2;
  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  gather_quads<<<grid, block, 0, stream>>>(nv12, format_.width, format_.height, quads);
  to_rgb<<<(w * h + 255) / 256, 256, 0, stream>>>(quads, w * h, format_.full_range, rgb);
  const bool launched = cudaGetLastError() == cudaSuccess;
  const Status retired = pool_.retire(std::move(surface), stream);
  return launched ? retired : Status::cuda_error;
}

}  // namespace vidconv
