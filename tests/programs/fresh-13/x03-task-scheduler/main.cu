// Monte Carlo pricing of a small book: one task per instrument, then a ledger check.
#include <cstdio>
#include <memory>
#include <vector>

#include "scheduler.h"

namespace {

struct Instrument {
  const char* name;
  float spot;
  float strike;
  int paths;
};

struct DeviceDelete {
  void operator()(void* p) const { sched::check(cudaFree(p)); }
};

__device__ unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

__global__ void price_paths(Instrument inst, unsigned long long* above, long long budget) {
  const long long t0 = clock64();
  unsigned long long hits = 0;
  for (int p = threadIdx.x; p < inst.paths; p += blockDim.x) {
    float u = float(mix(p * 2654435761u) >> 8) / 16777216.f;
    hits += inst.spot * (0.5f + u) > inst.strike;
  }
  while (clock64() - t0 < budget) {
  }
  atomicAdd(above, hits);
}

unsigned long long reference(const Instrument& inst) {
  auto mix_host = [](unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
  };
  unsigned long long hits = 0;
  for (int p = 0; p < inst.paths; ++p) {
    float u = float(mix_host(unsigned(p) * 2654435761u) >> 8) / 16777216.f;
    hits += inst.spot * (0.5f + u) > inst.strike;
  }
  return hits;
}

}  // namespace

int main() {
  const std::vector<Instrument> book = {
      {"ES", 128.f, 96.f, 40000}, {"NQ", 64.f, 64.f, 30000}, {"CL", 32.f, 40.f, 50000},
      {"GC", 256.f, 192.f, 20000}, {"ZN", 16.f, 12.f, 60000}, {"6E", 8.f, 10.f, 10000},
  };

  unsigned long long* raw = nullptr;
  sched::check(cudaMalloc(&raw, book.size() * sizeof(*raw)));
  std::unique_ptr<unsigned long long, DeviceDelete> above(raw);
  sched::check(cudaMemset(above.get(), 0, book.size() * sizeof(*raw)));
  sched::check(cudaDeviceSynchronize());

  sched::Options options;
  options.lanes = 3;
  sched::Scheduler scheduler(options);

  for (std::size_t i = 0; i < book.size(); ++i) {
    const Instrument inst = book[i];
    unsigned long long* slot = above.get() + i;
    scheduler.submit(inst.name, [inst, slot](cudaStream_t stream) {
      price_paths<<<1, 256, 0, stream>>>(inst, slot, 90'000'000LL);
      sched::check(cudaGetLastError());
    });
  }
  const std::vector<sched::TaskReport> ledger = scheduler.drain();

  std::vector<unsigned long long> counts(book.size());
  sched::check(cudaMemcpy(counts.data(), above.get(), counts.size() * sizeof(counts[0]),
                          cudaMemcpyDeviceToHost));

  long wrong = ledger.size() != book.size();
  for (std::size_t i = 0; i < book.size(); ++i) wrong += counts[i] != reference(book[i]);
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}
