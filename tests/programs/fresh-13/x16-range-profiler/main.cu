// Encodes a few pictures and compares the profiled time per picture with the wall clock.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "codec.h"

int main() {
  using prof::check;
  constexpr std::size_t kSamples = 1 << 15;
  constexpr std::size_t kTotal = kSamples * codec::Encoder::kPlanes;
  constexpr int kPictures = 5;

  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  std::int16_t *picture, *coded, *host;
  check(cudaMalloc(&picture, kTotal * sizeof(std::int16_t)));
  check(cudaMalloc(&coded, kTotal * sizeof(std::int16_t)));
  check(cudaMallocHost(&host, kTotal * sizeof(std::int16_t)));
  for (std::size_t i = 0; i < kTotal; ++i) host[i] = static_cast<std::int16_t>((i * 37) % 1021);
  check(cudaMemcpyAsync(picture, host, kTotal * sizeof(std::int16_t), cudaMemcpyHostToDevice,
                        stream));

  long wrong = 0;
  double ratio = 0;
  {
    codec::Encoder encoder(kSamples, 12'000'000ull);
    prof::Profiler& profiler = prof::Profiler::instance();
    encoder.encode(picture, coded, stream);
    check(cudaStreamSynchronize(stream));

    profiler.enable(true);
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kPictures; ++i) encoder.encode(picture, coded, stream);
    const double profiled = profiler.collect().at("encode");
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - begin;
    const double honest = wall.count() / kPictures;
    ratio = std::max(profiled / honest, honest / profiled);
    std::printf("encode %.3f ms\n", profiled);

    std::vector<std::int16_t> source(host, host + kTotal);
    check(cudaMemcpyAsync(host, coded, kTotal * sizeof(std::int16_t), cudaMemcpyDeviceToHost,
                          stream));
    check(cudaStreamSynchronize(stream));
    for (std::size_t i = 0; i < kTotal; ++i)
      wrong += host[i] != static_cast<std::int16_t>(source[i] / int(i / kSamples + 2));
    profiler.enable(false);
    profiler.shutdown();
  }
  check(cudaFree(picture));
  check(cudaFree(coded));
  check(cudaFreeHost(host));
  check(cudaStreamDestroy(stream));
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else if (ratio > 1.5)
    std::printf("SLOW %.2f\n", ratio);
  else
    std::printf("DONE\n");
  return 0;
}
