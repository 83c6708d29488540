#include "codec.h"
#include "ops.h"

#include <algorithm>
#include <cstring>

namespace tilecodec {

struct decoder::slot {
  explicit slot(geometry g) : bytes_in(g.samples() * sizeof(std::uint16_t)),
                              bytes_out(g.samples() * sizeof(int))
  {
    check(cudaStreamCreate(&stream));
    check(cudaMallocHost(&host_in, bytes_in));
    check(cudaMallocHost(&host_out, bytes_out));
    check(cudaMalloc(&symbols, bytes_in));
    check(cudaMalloc(&plane, bytes_out));
    check(cudaMalloc(&picture, bytes_out));
  }
  ~slot()
  {
    cudaFree(picture);
    cudaFree(plane);
    cudaFree(symbols);
    cudaFreeHost(host_out);
    cudaFreeHost(host_in);
    cudaStreamDestroy(stream);
  }

  std::size_t bytes_in;
  std::size_t bytes_out;
  cudaStream_t stream = nullptr;
  std::uint16_t* host_in = nullptr;
  int* host_out = nullptr;
  std::uint16_t* symbols = nullptr;
  int* plane = nullptr;
  int* picture = nullptr;
};

decoder::decoder(geometry g, int slots) : geometry_(g)
{
  for (int i = 0; i < slots; ++i) slots_.push_back(std::make_unique<slot>(g));
}

decoder::~decoder() = default;

void decoder::submit(slot& s, const encoded_image& image)
{
  std::memcpy(s.host_in, image.symbols.data(), s.bytes_in);
  check(cudaMemcpyAsync(s.symbols, s.host_in, s.bytes_in, cudaMemcpyHostToDevice, s.stream));
  ops::dequantise(s.symbols, s.plane, image.bias, geometry_, s.stream);
  ops::normalise(s.plane, geometry_);
  ops::flip(s.plane, s.picture, geometry_, s.stream);
  check(cudaMemcpyAsync(s.host_out, s.picture, s.bytes_out, cudaMemcpyDeviceToHost, s.stream));
}

std::vector<decoded_image> decoder::decode_batch(const std::vector<encoded_image>& batch)
{
  const int count = std::min<int>(static_cast<int>(batch.size()), slots());
  for (int i = 0; i < count; ++i) submit(*slots_[i], batch[i]);

  std::vector<decoded_image> pictures;
  for (int i = 0; i < count; ++i) {
    check(cudaStreamSynchronize(slots_[i]->stream));
    pictures.emplace_back(slots_[i]->host_out, slots_[i]->host_out + geometry_.samples());
  }
  return pictures;
}

}  // namespace tilecodec
