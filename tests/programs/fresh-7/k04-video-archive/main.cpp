#include "stages.h"

int main() {
  vid::BlockPool pool;
  vid::Sensor sensor;
  std::vector<std::unique_ptr<vid::Sink>> sinks;
  sinks.push_back(vid::make_archive());
  sinks.push_back(vid::make_preview());

  for (int i = 0; i < vid::kFrames; ++i) {
    const vid::Frame frame = sensor.next(pool, i);
    for (auto& sink : sinks) sink->consume(frame, i, sensor.ready());
  }

  long wrong = 0;
  for (auto& sink : sinks) wrong += sink->mismatches();
  if (wrong == 0)
    std::puts("DONE");
  else
    std::printf("WRONG %ld\n", wrong);
  return wrong == 0 ? 0 : 1;
}
