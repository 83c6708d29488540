#include <colforge/decode.hpp>

namespace colforge {
namespace {

constexpr int block_size = 256;

__device__ void unpack_cost(unsigned long long ns)
{
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < ns);
}

__global__ void decode_plain(const int32_t* payload, int32_t* out, int rows)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) { out[i] = payload[i]; }
}

__global__ void decode_frame(
  const int32_t* payload, int32_t reference, int32_t* out, int rows, unsigned long long ns)
{
  unpack_cost(ns);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) { out[i] = reference + payload[i]; }
}

__global__ void decode_dictionary(
  const int32_t* payload, const int32_t* dictionary, int32_t* out, int rows, unsigned long long ns)
{
  unpack_cost(ns);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) { out[i] = dictionary[payload[i]]; }
}

unsigned long long cost_ns(encoding kind, int rows)
{
  switch (kind) {
    case encoding::frame_of_reference: return rows * 15000ull;
    case encoding::dictionary: return rows * 20000ull;
    default: return 0;
  }
}

void decode_column(const encoded_column& in, int32_t* out, int rows, cudaStream_t stream)
{
  const int grid = (rows + block_size - 1) / block_size;
  const auto ns  = cost_ns(in.kind, rows);
  switch (in.kind) {
    case encoding::plain:
      decode_plain<<<grid, block_size, 0, stream>>>(in.payload, out, rows);
      break;
    case encoding::frame_of_reference:
      decode_frame<<<grid, block_size, 0, stream>>>(in.payload, in.reference, out, rows, ns);
      break;
    case encoding::dictionary:
      decode_dictionary<<<grid, block_size, 0, stream>>>(in.payload, in.dictionary, out, rows, ns);
      break;
  }
  COLFORGE_CUDA_TRY(cudaGetLastError());
}

}  // namespace

void decode(const encoded_table& in, table& out, stream_pool& pool, cudaStream_t stream)
{
  const int columns  = static_cast<int>(in.columns.size());
  const auto streams = fork_streams(pool, stream, columns);
  for (int c = 0; c < columns; ++c) {
    decode_column(in.columns[c], out.column(c), in.rows, streams[c % streams.size()]);
  }
  join_streams(pool, streams, stream);
}

}  // namespace colforge
