#include "estimator.cuh"

int main() {
  constexpr int kWarm = 2, kTimed = 6;
  drv::Context context;
  long wrong = 0;
  double ratio = 0;
  {
    Estimator estimator;
    drv::Event begin(CU_EVENT_DEFAULT), end(CU_EVENT_DEFAULT);

    estimator.frames(0, kWarm, begin, end);
    drv::ensure(cuEventSynchronize(end));

    estimator.frames(kWarm, kTimed, begin, end);
    drv::ensure(cuEventSynchronize(end));
    float ms = 0;
    drv::ensure(cuEventElapsedTime(&ms, begin, end));

    const double stamped = estimator.stampedMs();
    ratio = ms > stamped ? ms / stamped : stamped / ms;
    wrong = estimator.wrong(kWarm + kTimed);
  }
  if (wrong) {
    std::printf("WRONG %ld\n", wrong);
    return 1;
  }
  if (ratio > 1.5) {
    std::printf("SLOW %.2f\n", ratio);
    return 1;
  }
  std::printf("DONE\n");
  return 0;
}
