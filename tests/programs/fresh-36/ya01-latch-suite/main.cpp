#include "minitest.h"

int main() {
  int failures = 0;
  try {
    mini::require(cudaSetDevice(0));
    failures = mini::Registry::instance().runAll();
    mini::require(cudaDeviceSynchronize());
  } catch (const mini::CudaFailure& failure) {
    std::printf("ERROR %s\n", cudaGetErrorName(failure.code));
    return 1;
  }
  if (failures != 0) {
    std::printf("WRONG %d\n", failures);
    return 1;
  }
  std::puts("DONE");
  return 0;
}
