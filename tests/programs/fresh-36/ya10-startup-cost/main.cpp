// Start-up and call costs of the GPU this process runs on, one line of CSV per figure.

#include "probes.h"

#include <cmath>
#include <cstdio>

int main() {
  require(cudaSetDevice(0));
  Device device;

  const std::vector<Probe> probes = {
      {"first launch", Meaning::ColdStart, [&] { return device.firstLaunch(); }},
      {"16 MiB malloc and free", Meaning::ColdStart, [&] { return device.allocateAndFree(1 << 24); }},
      {"launch", Meaning::HostSubmission, [&] { return device.launchCall(200); }},
      {"graph launch", Meaning::HostSubmission, [&] { return device.graphLaunchCall(50); }},
      {"launch and wait", Meaning::RoundTrip, [&] { return device.emptyWait(100); }},
      {"wake up parked kernel", Meaning::RoundTrip, [&] { return device.wakeUp(); }},
      {"wake up again", Meaning::RoundTrip, [&] { return device.wakeUp(); }},
      {"busy kernel by events", Meaning::SteadyState, [&] { return device.steadyByEvents(5000, 10); }},
      {"busy kernel by clock", Meaning::SteadyState, [&] { return device.steadyByClock(5000, 10); }},
  };

  std::vector<Figure> figures;
  for (const Probe& probe : probes) figures.push_back({probe.name, probe.meaning, probe.measure()});

  std::printf("probe,micros,meaning\n");
  double worst = 1.0;
  for (const Figure& figure : figures) {
    std::printf("%s,%.2f,%s\n", figure.probe.c_str(), figure.micros, describe(figure.meaning));
    if (figure.meaning == Meaning::SteadyState) {
      const double off = figure.micros / 5000.0;
      worst = std::fmax(worst, std::fmax(off, 1.0 / off));
    }
  }

  const int counted = device.ticksCounted();
  if (counted != device.ticksSent()) {
    std::printf("WRONG %d\n", std::abs(counted - device.ticksSent()));
    return 1;
  }
  if (worst > 1.5) {
    std::printf("SLOW %.2f\n", worst);
    return 1;
  }
  std::puts("DONE");
  return 0;
}
