#include "algorithms.cuh"

#include <cstdio>
#include <vector>

using namespace grove;

__global__ void spin(long long cycles)
{
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {}
}

// A costly ordering: what a user's own comparison might be.
struct slow_by_key
{
  __device__ bool operator()(const record& a, const record& b) const
  {
    long long t0 = clock64();
    while (clock64() - t0 < 3000) {}
    return a.key < b.key;
  }
};

static constexpr std::size_t n = 40000;

struct Job
{
  cudaStream_t s;
  record* d;
  std::int64_t tag;
  std::vector<record> h;
  Job(std::int64_t t) : tag(t), h(n)
  {
    throw_on_error(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "stream");
    throw_on_error(cudaMalloc(&d, n * sizeof(record)), "malloc");
  }
  void load()
  {
    for (std::size_t i = 0; i < n; ++i)
    {
      std::int64_t const k = static_cast<std::int64_t>((i * 7919) % n);
      h[i]                 = record{k, tag + k};
    }
    throw_on_error(cudaMemcpyAsync(d, h.data(), n * sizeof(record), cudaMemcpyHostToDevice, s), "h2d");
    throw_on_error(cudaStreamSynchronize(s), "sync");
  }
  int check()
  {
    throw_on_error(cudaMemcpyAsync(h.data(), d, n * sizeof(record), cudaMemcpyDeviceToHost, s), "d2h");
    throw_on_error(cudaStreamSynchronize(s), "sync");
    int bad = 0;
    for (std::size_t i = 0; i < n; ++i)
      bad += h[i].key != static_cast<std::int64_t>(i) || h[i].payload != tag + static_cast<std::int64_t>(i);
    return bad;
  }
};

int main()
{
  try
  {
    block_cache cache;
    Job a(1000000000), b(5000000000);
    cudaStream_t gate_stream;
    cudaEvent_t gate;
    throw_on_error(cudaStreamCreateWithFlags(&gate_stream, cudaStreamNonBlocking), "stream");
    throw_on_error(cudaEventCreateWithFlags(&gate, cudaEventDisableTiming), "event");
    execution_context ca(cache, a.s), cb(cache, b.s);

    // Everything loaded and every block made beforehand.
    a.load();
    b.load();
    stable_sort_async(ca, a.d, n, slow_by_key{});
    ca.wait();
    stable_sort_async(cb, b.d, n, slow_by_key{});
    cb.wait();
    if (a.check() + b.check() != 0)
    {
      std::printf("WRONG even one after another\n");
      return 1;
    }

    int bad = 0;
    for (int round = 0; round < 5 && bad == 0; ++round)
    {
      a.load();
      b.load();
      spin<<<1, 1, 0, gate_stream>>>(60000000LL);
      throw_on_error(cudaEventRecord(gate, gate_stream), "record");
      throw_on_error(cudaStreamWaitEvent(a.s, gate, 0), "wait");
      throw_on_error(cudaStreamWaitEvent(b.s, gate, 0), "wait");
      stable_sort_async(ca, a.d, n, slow_by_key{});
      stable_sort_async(cb, b.d, n, slow_by_key{});
      bad = a.check() + b.check();
    }
    if (bad)
    {
      std::printf("WRONG %d records misplaced when two streams sort at the same time\n", bad);
      return 1;
    }
    std::printf("DONE\n");
    return 0;
  }
  catch (std::exception const& e)
  {
    std::printf("WRONG %s\n", e.what());
    return 1;
  }
}
