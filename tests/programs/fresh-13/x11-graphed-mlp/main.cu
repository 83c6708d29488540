// Inference service: an eager first pass, then recorded passes over a queue of requests.
#include <algorithm>
#include <vector>

#include "module.h"

namespace {

const std::vector<int> kWidths = {192, 128, 64};

std::vector<float> request(int id) {
  std::vector<float> x(kWidths.front());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = float((int(i) * (id + 1) + id) % 4);
  return x;
}

std::vector<float> reference(std::vector<float> x) {
  for (std::size_t l = 0; l + 1 < kWidths.size(); ++l) {
    std::vector<float> y(kWidths[l + 1]);
    for (int r = 0; r < kWidths[l + 1]; ++r) {
      float acc = 0.f;
      for (int c = 0; c < kWidths[l]; ++c) acc += tl::Mlp::weight_at(int(l), r, c) * x[c];
      acc += tl::Mlp::bias_at(int(l), r);
      y[r] = acc > 0.f ? acc : 0.f;
    }
    x = std::move(y);
  }
  return x;
}

long compare(const float* got, int id) {
  const std::vector<float> want = reference(request(id));
  long wrong = 0;
  for (std::size_t i = 0; i < want.size(); ++i) wrong += got[i] != want[i];
  return wrong;
}

}  // namespace

int main() {
  constexpr int kRequests = 6;
  const std::size_t in_bytes = kWidths.front() * sizeof(float);
  const std::size_t out_bytes = kWidths.back() * sizeof(float);
  long wrong = 0;
  {
    tl::Mlp model(kWidths);
    float *input, *in_host, *out_host;
    TL_CHECK(cudaMalloc(&input, in_bytes));
    TL_CHECK(cudaMallocHost(&in_host, kRequests * in_bytes));
    TL_CHECK(cudaMallocHost(&out_host, kRequests * out_bytes));
    for (int id = 0; id < kRequests; ++id) {
      const std::vector<float> x = request(id);
      std::copy(x.begin(), x.end(), in_host + id * x.size());
    }

    cudaStream_t eager = tl::get_current_stream();
    TL_CHECK(cudaMemcpyAsync(input, in_host, in_bytes, cudaMemcpyHostToDevice, eager));
    const float* first = model.forward(input);
    TL_CHECK(cudaMemcpyAsync(out_host, first, out_bytes, cudaMemcpyDeviceToHost, eager));
    TL_CHECK(cudaStreamSynchronize(eager));
    wrong += compare(out_host, 0);

    cudaStream_t serve = tl::get_stream_from_pool();
    {
      tl::GraphedForward graphed(model, input, serve);
      for (int id = 1; id < kRequests; ++id) {
        TL_CHECK(cudaMemcpyAsync(input, in_host + id * kWidths.front(), in_bytes,
                                 cudaMemcpyHostToDevice, serve));
        graphed.replay();
        TL_CHECK(cudaMemcpyAsync(out_host + id * kWidths.back(), graphed.output(), out_bytes,
                                 cudaMemcpyDeviceToHost, serve));
      }
      TL_CHECK(cudaStreamSynchronize(serve));
    }
    for (int id = 1; id < kRequests; ++id) wrong += compare(out_host + id * kWidths.back(), id);

    TL_CHECK(cudaFree(input));
    TL_CHECK(cudaFreeHost(in_host));
    TL_CHECK(cudaFreeHost(out_host));
  }
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}
