// Localisation loop of a delivery robot. A supervisor kernel stays on the GPU
// for the whole drive and follows the heartbeat of the scan matcher.
#include <array>

#include "matcher.h"

__global__ void supervise(volatile unsigned* beat, unsigned ticks, unsigned* longest_wait) {
  unsigned seen = 0, idle = 0, worst = 0;
  while (seen < ticks) {
    unsigned b = *beat;
    idle = b == seen ? idle + 1 : 0;
    worst = idle > worst ? idle : worst;
    seen = b;
    __nanosleep(2000);
  }
  *longest_wait = worst;
}

namespace {

enum class Road { City, Highway };

struct Leg {
  Road road;
  int ticks;
};

struct Vehicle {
  cudaStream_t guard, work;
  int *scan_h, *scan_d;
  Pose *pose_h, *pose_d;
  unsigned *beat, *scratch, *worst;
  std::unique_ptr<IMatcher> city = make_city_matcher();
  std::unique_ptr<IMatcher> highway = make_highway_matcher();

  Vehicle() {
    must(cudaStreamCreateWithFlags(&guard, cudaStreamNonBlocking));
    must(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
    must(cudaMallocHost(&scan_h, kMaxBeams * sizeof(int)));
    must(cudaMallocHost(&pose_h, sizeof(Pose)));
    must(cudaMalloc(&scan_d, kMaxBeams * sizeof(int)));
    must(cudaMalloc(&pose_d, sizeof(Pose)));
    must(cudaMalloc(&beat, 3 * sizeof(unsigned)));
    must(cudaMemset(beat, 0, 3 * sizeof(unsigned)));
    must(cudaMemset(scan_d, 0, kMaxBeams * sizeof(int)));
    must(cudaDeviceSynchronize());
    scratch = beat + 1;
    worst = beat + 2;
  }
  ~Vehicle() {
    cudaStreamDestroy(guard);
    cudaStreamDestroy(work);
    cudaFree(scan_d);
    cudaFree(pose_d);
    cudaFree(beat);
    cudaFreeHost(scan_h);
    cudaFreeHost(pose_h);
  }

  IMatcher& matcher(Road r) { return r == Road::City ? *city : *highway; }

  bool tick(IMatcher& m, int t) {
    for (int i = 0; i < m.beams(); ++i) scan_h[i] = (i * 17 + t * 71) % 300;
    must(cudaMemcpyAsync(scan_d, scan_h, m.beams() * sizeof(int), cudaMemcpyHostToDevice, work));
    m.match(scan_d, pose_d, beat, work);
    must(cudaMemcpyAsync(pose_h, pose_d, sizeof(Pose), cudaMemcpyDeviceToHost, work));
    must(cudaStreamSynchronize(work));
    Pose want = m.expected(scan_h);
    return pose_h->x == want.x && pose_h->y == want.y;
  }
};

}  // namespace

int main() {
  constexpr std::array<Leg, 3> route{{{Road::City, 6}, {Road::Highway, 10}, {Road::City, 4}}};
  unsigned total = 0;
  for (const Leg& l : route) total += l.ticks;

  Vehicle v;
  v.matcher(route.front().road).prime(v.scan_d, v.pose_d, v.scratch, v.work);
  supervise<<<1, 1, 0, v.guard>>>(v.beat, total, v.worst);
  must(cudaGetLastError());

  int t = 0, wrong = 0;
  for (const Leg& leg : route) {
    IMatcher& m = v.matcher(leg.road);
    for (int i = 0; i < leg.ticks; ++i, ++t) wrong += !v.tick(m, t);
  }
  must(cudaStreamSynchronize(v.guard));

  if (wrong)
    std::printf("WRONG %d\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}
