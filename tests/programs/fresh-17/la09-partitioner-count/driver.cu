#include "row_partitioner.cuh"

#include <algorithm>
#include <cstdio>

using namespace gbt::tree;

// A decision that takes its time (a categorical split over a big bitset, say).
struct BelowSlow {
  RowIndexT limit;
  long long cycles;
  __device__ bool operator()(RowIndexT r) const {
    long long t0 = clock64();
    while (clock64() - t0 < cycles) {}
    return r < limit;
  }
};

static int Check(RowPartitioner const &p, NodeIdx nidx, RowIndexT lo, RowIndexT hi, dh::CUDAStreamView s) {
  auto rows = p.GetRows(nidx);
  if (rows.size() != hi - lo) return 1;
  std::vector<RowIndexT> h(rows.size());
  safe_cuda(cudaMemcpyAsync(h.data(), rows.data(), h.size() * sizeof(RowIndexT), cudaMemcpyDeviceToHost, s));
  s.Sync();
  std::sort(h.begin(), h.end());
  for (std::size_t i = 0; i < h.size(); ++i)
    if (h[i] != lo + i) return 1;
  return 0;
}

int main() {
  constexpr RowIndexT n = 20000;
  try {
    dh::CUDAStream stream;
    auto s = stream.View();
    {
      RowPartitioner warm(n, s);
      warm.UpdatePosition(0, 1, 2, s, BelowSlow{n / 2, 10});
      s.Sync();
    }
    int bad = 0;
    RowIndexT got = 0;
    for (int round = 0; round < 3 && !bad; ++round) {
      RowPartitioner p(n, s);
      p.UpdatePosition(0, 1, 2, s, BelowSlow{6000, 100000000LL});
      got = p.GetSegment(1).Size();
      bad += Check(p, 1, 0, 6000, s) + Check(p, 2, 6000, n, s);
      s.Sync();
    }
    if (bad) {
      std::printf("WRONG left child has %u rows on the host, 6000 expected\n", got);
      return 1;
    }
    std::printf("DONE\n");
    return 0;
  } catch (std::exception const &e) {
    std::printf("WRONG %s\n", e.what());
    return 1;
  }
}
