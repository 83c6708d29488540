// Shallow water on a periodic lattice, with segments of different step counts
// and coupling, and mass checks in the background.
#include "recorder.h"
#include "step_graph.h"

#include <cstdio>
#include <vector>

namespace {

constexpr int kWidth = 256;
constexpr int kHeight = 96;
constexpr long long kStepNs = 300000;

struct Segment {
  int steps;
  int launches;
  unsigned k;
};

const Segment kPlan[] = {{4, 6, 1}, {4, 6, 3}, {6, 4, 3}, {6, 5, 7}, {2, 10, 7}, {2, 8, 5}, {4, 5, 5}};

class HostLattice {
 public:
  HostLattice() : h(kWidth * kHeight), u(h.size(), 0u), v(h.size(), 0u) {
    for (size_t i = 0; i < h.size(); ++i) h[i] = 1000u + static_cast<unsigned>(i * 7 % 523);
  }
  unsigned mass() const {
    unsigned m = 0;
    for (unsigned x : h) m += x;
    return m;
  }
  void step(unsigned k) {
    const int n = static_cast<int>(h.size());
    for (int i = 0; i < n; ++i) {
      const int x = i % kWidth, row = i - x;
      u[i] += k * (h[i] - h[row + (x + 1) % kWidth]);
      v[i] += k * (h[i] - h[(i + kWidth) % n]);
    }
    for (int i = 0; i < n; ++i) {
      const int x = i % kWidth, row = i - x;
      h[i] += u[row + (x + kWidth - 1) % kWidth] - u[i] + v[(i + n - kWidth) % n] - v[i];
    }
  }

  std::vector<unsigned> h, u, v;
};

class DeviceLattice {
 public:
  DeviceLattice(const HostLattice& init, cudaStream_t s) {
    l.width = kWidth;
    l.height = kHeight;
    const size_t bytes = l.cells() * sizeof(unsigned);
    SIM(cudaMalloc(&l.h, bytes));
    SIM(cudaMalloc(&l.u, bytes));
    SIM(cudaMalloc(&l.v, bytes));
    SIM(cudaMemcpyAsync(l.h, init.h.data(), bytes, cudaMemcpyHostToDevice, s));
    SIM(cudaMemsetAsync(l.u, 0, bytes, s));
    SIM(cudaMemsetAsync(l.v, 0, bytes, s));
    SIM(cudaStreamSynchronize(s));
  }
  ~DeviceLattice() {
    cudaFree(l.h);
    cudaFree(l.u);
    cudaFree(l.v);
  }
  DeviceLattice(const DeviceLattice&) = delete;
  DeviceLattice& operator=(const DeviceLattice&) = delete;
  Lattice l;
};

int simulate() {
  HostLattice host;
  cudaStream_t stream = nullptr;
  SIM(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int bad = 0;
  {
    DeviceLattice device(host, stream);
    StepGraph graph(device.l, kStepNs);
    Recorder recorder(device.l.cells(), host.mass());

    graph.run_directly(stream, 1);
    host.step(1);
    for (const Segment& seg : kPlan) {
      graph.configure(seg.steps, seg.k);
      for (int i = 0; i < seg.launches; ++i) {
        graph.launch(stream);
        if (i % 2 == 0) recorder.snapshot(device.l.h, stream);
      }
    }

    std::vector<unsigned> result(device.l.cells());
    SIM(cudaStreamSynchronize(stream));
    SIM(cudaMemcpy(result.data(), device.l.h, result.size() * sizeof(unsigned),
                   cudaMemcpyDeviceToHost));
    for (const Segment& seg : kPlan)
      for (int i = 0; i < seg.steps * seg.launches; ++i) host.step(seg.k);
    for (size_t i = 0; i < result.size(); ++i) bad += result[i] != host.h[i];

    bad += recorder.finish();
    if (!recorder.failure().empty()) throw SimError(recorder.failure());
    std::printf("%d snapshots, %d rebuilds, %d retunes\n", recorder.taken(), graph.rebuilds(),
                graph.retunes());
  }
  SIM(cudaStreamDestroy(stream));
  return bad;
}

}  // namespace

int main() {
  try {
    const int bad = simulate();
    if (bad)
      std::printf("WRONG %d\n", bad);
    else
      std::printf("DONE\n");
    return 0;
  } catch (const SimError& e) {
    std::printf("ERROR %s\n", e.what());
    return 1;
  }
}
