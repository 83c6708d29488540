#include "table_scan.hpp"

#include <cstdio>

using namespace quarry;

__global__ void spin(long long cycles)
{
  long long t0 = clock64();
  while (clock64() - t0 < cycles) {}
}

int main()
{
  try {
    constexpr std::size_t rows_per_chunk = 8192;
    std::vector<std::int32_t> v(6 * rows_per_chunk);
    std::int64_t want = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] = static_cast<std::int32_t>(i % 1000);
      if (v[i] >= 100 && v[i] < 900) want += v[i];
    }
    HostColumn column(v, rows_per_chunk);
    cudaStream_t s;
    ThrowIfCuda(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "driver");

    // Room for everything first.
    std::int64_t wide;
    {
      BufferManager buffers(column, rows_per_chunk * 4, 8);
      wide = SumWhere(buffers, column, {100, 900}, s);
    }
    // A third of the table fits; the stream has other work ahead of the query.
    std::int64_t narrow = 0;
    BufferStats st;
    {
      BufferManager buffers(column, rows_per_chunk * 4, 2);
      spin<<<1, 1, 0, s>>>(200000000LL);
      narrow = SumWhere(buffers, column, {100, 900}, s);
      st = buffers.stats();
    }
    if (wide != want || narrow != want) {
      std::printf("WRONG sums %lld and %lld, %lld expected (%llu stalls)\n", (long long)wide, (long long)narrow,
                  (long long)want, (unsigned long long)st.stalls);
      return 1;
    }
    std::printf("DONE\n");
    return 0;
  } catch (std::exception const& e) {
    std::printf("WRONG %s\n", e.what());
    return 1;
  }
}
