#include "packrat.h"

#include <cub/device/device_scan.cuh>

namespace packrat {

namespace {

__global__ void measure(const std::uint32_t* in, std::size_t count, BlockHeader* headers, std::uint32_t* sizes,
                        Totals* totals) {
  __shared__ std::uint32_t low[kBlock], high[kBlock];
  const int t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * kBlock + t;
  low[t] = i < count ? in[i] : 0xffffffffu;
  high[t] = i < count ? in[i] : 0u;
  __syncthreads();
  for (int w = kBlock / 2; w > 0; w /= 2) {
    if (t < w) {
      low[t] = min(low[t], low[t + w]);
      high[t] = max(high[t], high[t + w]);
    }
    __syncthreads();
  }
  if (t == 0) {
    const std::uint32_t range = high[0] - low[0];
    const std::uint32_t bits = 32 - __clz(range);
    const std::uint32_t words = bits * kBlock / 32;
    headers[blockIdx.x].base = low[0];
    headers[blockIdx.x].bits = bits;
    sizes[blockIdx.x] = words;
    atomicMax(&totals->widest, bits);
    atomicAdd(&totals->words, words);
    if (bits == 0) atomicAdd(&totals->constant_blocks, 1u);
  }
}

__global__ void pack(const std::uint32_t* in, std::size_t count, BlockHeader* headers,
                     const std::uint32_t* starts, std::uint32_t* words) {
  __shared__ std::uint32_t packed[kBlock];
  const int t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * kBlock + t;
  const std::uint32_t base = headers[blockIdx.x].base, bits = headers[blockIdx.x].bits;
  const std::uint32_t start = starts[blockIdx.x];
  packed[t] = 0;
  __syncthreads();
  if (bits > 0 && i < count) {
    const std::uint32_t v = in[i] - base;
    const std::uint32_t at = t * bits;
    atomicOr(&packed[at / 32], v << (at % 32));
    if (at % 32 + bits > 32) atomicOr(&packed[at / 32 + 1], v >> (32 - at % 32));
  }
  __syncthreads();
  if (t < bits * kBlock / 32) words[start + t] = packed[t];
  if (t == 0) headers[blockIdx.x].offset = start;
}

__global__ void unpack(const BlockHeader* headers, const std::uint32_t* words, std::size_t count,
                       std::uint32_t* out) {
  const int t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * kBlock + t;
  if (i >= count) return;
  const BlockHeader h = headers[blockIdx.x];
  std::uint32_t v = 0;
  if (h.bits > 0) {
    const std::uint32_t at = t * h.bits;
    const std::uint32_t* w = words + h.offset + at / 32;
    v = w[0] >> (at % 32);
    if (at % 32 + h.bits > 32) v |= w[1] << (32 - at % 32);
    if (h.bits < 32) v &= (1u << h.bits) - 1u;
  }
  out[i] = h.base + v;
}

std::size_t scan_size(std::size_t blocks) {
  std::size_t bytes = 0;
  std::uint32_t* none = nullptr;
  require(cub::DeviceScan::ExclusiveSum(nullptr, bytes, none, none, static_cast<int>(blocks)));
  return bytes > 0 ? bytes : 1;
}

}  // namespace

Session::Session(std::size_t max_count)
    : max_count_(max_count),
      sizes_(blocks_of(max_count)),
      starts_(blocks_of(max_count)),
      totals_(1),
      scan_bytes_(scan_size(blocks_of(max_count))),
      scan_temp_(scan_bytes_),
      headers_host_(blocks_of(max_count), HostSource::locked()),
      totals_host_(1) {}

void Session::encode(const std::uint32_t* in, std::size_t count, EncodedView out, cudaStream_t stream) {
  if (count == 0 || count > max_count_) throw std::invalid_argument("packrat: count");
  const std::size_t blocks = blocks_of(count);
  const int grid = static_cast<int>(blocks);

  require(cudaMemsetAsync(totals_.data(), 0, sizeof(Totals), stream));
  measure<<<grid, kBlock, 0, stream>>>(in, count, out.headers, sizes_.data(), totals_.data());
  std::size_t bytes = scan_bytes_;
  require(cub::DeviceScan::ExclusiveSum(scan_temp_.data(), bytes, sizes_.data(), starts_.data(), grid, stream));
  pack<<<grid, kBlock, 0, stream>>>(in, count, out.headers, starts_.data(), out.words);
  require(cudaGetLastError());
  mirror(out, blocks, stream);
}

void Session::mirror(EncodedView out, std::size_t blocks, cudaStream_t stream) {
  require(cudaMemcpyAsync(headers_host_.data(), out.headers, blocks * sizeof(BlockHeader), cudaMemcpyDeviceToHost,
                          stream));
  require(cudaMemcpyAsync(totals_host_.data(), totals_.data(), sizeof(Totals), cudaMemcpyDeviceToHost, stream));
}

void Session::decode(EncodedView in, std::size_t count, std::uint32_t* out, cudaStream_t stream) {
  if (count == 0) return;
  unpack<<<static_cast<int>(blocks_of(count)), kBlock, 0, stream>>>(in.headers, in.words, count, out);
  require(cudaGetLastError());
}

}  // namespace packrat
