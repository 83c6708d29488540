#include "device_uvector.hpp"

#include <cstdio>
#include <memory>
#include <vector>

__global__ void spin(long long cycles)
{
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {}
}

__global__ void fill(int* p, std::size_t n, int base, int step)
{
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x)
    p[i] = base + step * static_cast<int>(i);
}

static int attempt(lrm::device_memory_resource* mr, int batches, bool warm)
{
  constexpr std::size_t n = 1u << 20;
  lrm::cuda_stream producer, consumer;

  lrm::device_uvector<int> rows(n, producer, mr);
  fill<<<256, 256, 0, producer.view()>>>(rows.data(), n, 7, 1);
  producer.synchronize();

  // From here on the rows belong to the consumer stream, which is still busy with something else.
  spin<<<1, 1, 0, consumer.view()>>>(warm ? 1000 : 200000000LL);
  rows.resize(2 * n, consumer);
  fill<<<256, 256, 0, consumer.view()>>>(rows.data() + n, n, 7 + static_cast<int>(n), 1);

  // The producer goes on with its next batches.
  std::vector<std::unique_ptr<lrm::device_uvector<int>>> next;
  for (int i = 0; i < batches; ++i) {
    next.push_back(std::make_unique<lrm::device_uvector<int>>(n, producer, mr));
    fill<<<256, 256, 0, producer.view()>>>(next.back()->data(), n, -1, 0);
  }
  producer.synchronize();
  consumer.synchronize();

  std::vector<int> h(2 * n);
  LRM_CUDA_TRY(cudaMemcpyAsync(h.data(), rows.data(), h.size() * sizeof(int), cudaMemcpyDeviceToHost, consumer.view()));
  consumer.synchronize();
  int bad = 0;
  for (std::size_t i = 0; i < h.size(); ++i) bad += h[i] != 7 + static_cast<int>(i);
  return bad;
}

int main()
{
  try {
    lrm::cuda_async_memory_resource pool;
    lrm::statistics_resource_adaptor stats{&pool};
    attempt(&stats, 16, true);
    int bad = 0;
    for (int i = 0; i < 3 && bad == 0; ++i) bad = attempt(&stats, 32 + 16 * i, false);
    if (bad) {
      std::printf("WRONG %d rows changed while the vector was resized\n", bad);
      return 1;
    }
    std::printf("DONE\n");
    return 0;
  } catch (std::exception const& e) {
    std::printf("WRONG %s\n", e.what());
    return 1;
  }
}
