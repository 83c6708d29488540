#include "reader.cuh"

namespace colstore {
namespace {

__global__ void decode_delta(int* out, int rows, int base, int delta, int period)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x) {
    out[i] = base + delta * (i % period);
  }
}

}  // namespace

chunk_reader::chunk_reader(stream_pool& lanes, device_resource& mr) : lanes_{lanes}, mr_{mr}
{
  cudaFuncAttributes attr;
  check(cudaFuncGetAttributes(&attr, decode_delta));
}

column chunk_reader::decode(encoded_column const& c, stream_view lane)
{
  device_buffer data(sizeof(int) * c.rows, lane, mr_);
  int const blocks = (c.rows + 1023) / 1024;
  decode_delta<<<blocks < 64 ? blocks : 64, 256, 0, lane.value()>>>(
    static_cast<int*>(data.data()), c.rows, c.base, c.delta, c.period);
  check(cudaGetLastError());
  return column(c.name, c.rows, std::move(data));
}

table chunk_reader::read(encoded_chunk const& chunk, stream_view stream)
{
  auto const lanes = lanes_.fork(stream, chunk.size());
  std::vector<column> columns;
  columns.reserve(chunk.size());
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    columns.push_back(decode(chunk[i], lanes[i]));
  }
  stream_pool::join(lanes, stream);
  for (auto& c : columns) c.buffer().set_stream(stream);
  return table(std::move(columns));
}

}  // namespace colstore
