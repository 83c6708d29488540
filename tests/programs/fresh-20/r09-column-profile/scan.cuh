#pragma once
#include "profile.h"

namespace frame {
constexpr int kScanThreads = 256;

/// One block scans a whole column.
template <typename T>
__global__ void scan_column(const T* values, int rows, Summary* out, int64_t cost_ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - begin < static_cast<unsigned long long>(cost_ns));
  __shared__ double sum[kScanThreads], low[kScanThreads], high[kScanThreads];
  const int t = threadIdx.x;
  double s = 0.0, l = double(values[0]), h = l;
  for (int i = t; i < rows; i += kScanThreads) {
    const double v = double(values[i]);
    s += v;
    l = fmin(l, v);
    h = fmax(h, v);
  }
  sum[t] = s;
  low[t] = l;
  high[t] = h;
  __syncthreads();
  for (int width = kScanThreads / 2; width > 0; width /= 2) {
    if (t < width) {
      sum[t] += sum[t + width];
      low[t] = fmin(low[t], low[t + width]), high[t] = fmax(high[t], high[t + width]);
    }
    __syncthreads();
  }
  if (t == 0) *out = Summary{sum[0], low[0], high[0], rows};
}
}  // namespace frame
